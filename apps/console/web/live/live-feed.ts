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

/** Statuses of a feed that another attempt does not change: no such endpoint, no access. */
const lasting: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 501]);

/** Reads `/api/live` until it is closed; connects again with backoff, and resumes after the last event. */
export function openLiveFeed(options: LiveFeedOptions): LiveFeed {
  const closed = new AbortController();
  let lastEventId = options.lastEventId;
  let retryMs = firstRetryMs;

  const receive = (event: StreamEvent): void => {
    if (event.id !== '') lastEventId = event.id;
    const data = JSON.parse(event.data) as LiveReading & { count?: number };
    if (event.event === 'reading') options.onReading(data);
    else if (event.event === 'lost') options.onLost(data.count);
  };

  const connect = async (): Promise<boolean> => {
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
      if (lasting.has(response.status)) return false;
      if (!response.ok || response.body === null) return true;
      options.onStatus('open');
      retryMs = firstRetryMs;
      const parser = new EventStreamParser();
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
        for (const event of parser.push(decoder.decode(read.value, { stream: true })))
          receive(event);
      }
      return true;
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

interface KeepOpenOptions {
  /** @returns whether another attempt makes sense */
  connect: () => Promise<boolean>;
  closed: AbortSignal;
  onStatus: (status: LiveStatus) => void;
  /** Milliseconds until the next attempt. */
  nextDelay: () => number;
}

async function keepOpen({ connect, closed, onStatus, nextDelay }: KeepOpenOptions): Promise<void> {
  while (!closed.aborted) {
    onStatus('connecting');
    const isRepeatable = await connect().catch(() => true);
    if (!isRepeatable) {
      onStatus('unavailable');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, nextDelay()));
  }
}
