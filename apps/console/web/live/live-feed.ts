import { EventStreamParser } from '../../src/event-stream.ts';
import { authorizedFetch } from '../api/client.ts';
import type { StreamEvent } from '../../src/event-stream.ts';

/** A reading as the live feed sends it. */
export interface LiveReading {
  device: string;
  place?: string;
  room?: string;
  /** ISO 8601. */
  time: string;
  fields: Record<string, number | string | boolean | null>;
}

export type LiveStatus = 'connecting' | 'open' | 'unavailable';

export interface LiveFeedOptions {
  /** The filter: `?place=tanaka&device=a`; empty for all readings. */
  query: string;
  onReading: (reading: LiveReading) => void;
  /** Readings were lost: the page loads its data again. @param count undefined where it is unknown */
  onLost: (count: number | undefined) => void;
  /** The feed is open, with the readings of so many processes of all; without all of them, values are incomplete. */
  onProcesses?: (feeds: { open: number; all: number }) => void;
  onStatus: (status: LiveStatus) => void;
  /** Resumes after this event: of an earlier feed with another filter. */
  lastEventId?: string | undefined;
}

export interface LiveFeed {
  lastEventId: () => string | undefined;
  close: () => void;
}

const firstRetryMs = 500;
const maxRetryMs = 15_000;
/** Twice the heartbeat (15 s). In milliseconds. */
const silenceMs = 35_000;

/** Statuses that only an update of the services or another token changes: no such endpoint, no access. */
const lasting: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 501]);

/**
 * Reads `/api/live` until it is closed. It connects again with backoff, and resumes after the last event; meanwhile its
 * status is `unavailable`.
 */
export function openLiveFeed(options: LiveFeedOptions): LiveFeed {
  const closed = new AbortController();
  let lastEventId = options.lastEventId;
  let retryMs = firstRetryMs;

  const receive = (event: StreamEvent): void => {
    const data = JSON.parse(event.data) as object;
    if (event.event === 'reading') options.onReading(data as LiveReading);
    else if (event.event === 'lost') options.onLost((data as { count?: number }).count);
    else if (event.event === 'processes')
      options.onProcesses?.(data as { open: number; all: number });
  };

  const connect = async (): Promise<void> => {
    const silence = new AbortController();
    const signal = AbortSignal.any([closed.signal, silence.signal]);
    let timer = setTimeout(() => silence.abort(), silenceMs);
    try {
      const response = await authorizedFetch(`/api/live${options.query}`, {
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        signal,
      });
      if (lasting.has(response.status)) retryMs = maxRetryMs;
      if (!response.ok || response.body === null) return;
      options.onStatus('open');
      // Readings from before this moment cannot be sent again.
      if (lastEventId === undefined) options.onLost(undefined);
      retryMs = firstRetryMs;
      await readEvents(response.body, receive, (id) => {
        if (id !== '') lastEventId = id;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
      });
    } finally {
      clearTimeout(timer);
    }
  };

  void keepOpen({ connect, closed: closed.signal, onStatus: options.onStatus, nextDelay });
  return { lastEventId: () => lastEventId, close: () => closed.abort() };

  /** With jitter, so that the browsers of a household do not return at the same moment. */
  function nextDelay(): number {
    const delay = retryMs * (0.5 + Math.random() / 2);
    retryMs = Math.min(retryMs * 2, maxRetryMs);
    return delay;
  }
}

/** Reads events until the stream ends. @param onChunk called after the events of each chunk with the last event id */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  receive: (event: StreamEvent) => void,
  onChunk: (lastEventId: string) => void,
): Promise<void> {
  const parser = new EventStreamParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const event of parser.push(decoder.decode(read.value, { stream: true }))) receive(event);
    onChunk(parser.lastEventId);
  }
}

interface KeepOpenOptions {
  /** Resolves or rejects when the connection has ended. */
  connect: () => Promise<void>;
  closed: AbortSignal;
  onStatus: (status: LiveStatus) => void;
  /** Milliseconds until the next attempt. */
  nextDelay: () => number;
}

async function keepOpen({ connect, closed, onStatus, nextDelay }: KeepOpenOptions): Promise<void> {
  const isClosed = (): boolean => closed.aborted;
  onStatus('connecting');
  while (!isClosed()) {
    await connect().catch(() => undefined);
    if (isClosed()) return;
    onStatus('unavailable');
    await new Promise((resolve) => setTimeout(resolve, nextDelay()));
  }
}
