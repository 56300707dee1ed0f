import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { always } from '@engawa/http';
import { EventStreamParser } from '../event-stream.ts';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { StreamEvent } from '../event-stream.ts';

/** Milliseconds before a connection is opened again, doubled after each failure. */
const firstRetryMs = 250;
const maxRetryMs = 5000;
/** Twice the heartbeat of ingestion (15 s): a connection that is silent for longer is dead. In milliseconds. */
const silenceMs = 40_000;

/** The service rejected the request: another attempt with the same token has the same result. */
export class FeedRefused extends Error {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;

  constructor(status: number, body: string, contentType: string) {
    super(`the live feed has status ${status}`);
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }
}

export interface ProcessFeedOptions {
  /** URL of the live feed with its query. */
  url: URL;
  /** One of the addresses of its host. */
  address: string;
  headers: OutgoingHttpHeaders;
  /** The id of the last event that the browser has of this process. */
  lastEventId: () => string | undefined;
  onOpen: () => void;
  /** Called before each further attempt. */
  onInterrupted: () => void;
  /** Resolves when the next event may follow, which slows down the feed for a slow browser. */
  onEvent: (event: StreamEvent) => Promise<void> | undefined;
  /** Called after the events with the id to resume after. */
  onId: (id: string) => Promise<void> | undefined;
  /** Whether the browser has missed what the process stored before it was found. */
  isLate: boolean;
  signal: AbortSignal;
}

/**
 * Reads the live feed of one ingestion process until `signal` aborts, and opens it again after each interruption.
 * @throws FeedRefused for a 4xx response
 */
export async function readProcessFeed(options: ProcessFeedOptions): Promise<void> {
  const { signal, lastEventId, onEvent } = options;
  for (let retryMs = firstRetryMs, opened = options.isLate ? 1 : 0; !signal.aborted;) {
    try {
      const response = await open(options);
      options.onOpen();
      // Without an id, events of the time between both connections cannot be sent again.
      if (opened++ > 0 && lastEventId() === undefined) await onEvent(unknownLoss);
      retryMs = firstRetryMs;
      await readEvents(response, options);
    } catch (error) {
      if (error instanceof FeedRefused) throw error;
    }
    options.onInterrupted();
    await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }
}

export const unknownLoss: StreamEvent = { event: 'lost', id: '', data: '{}' };

async function open(options: ProcessFeedOptions): Promise<IncomingMessage> {
  const { url, address, headers, lastEventId, signal } = options;
  const id = lastEventId();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    agent: false,
    lookup: always(address),
    headers: {
      ...headers,
      accept: 'text/event-stream',
      ...(id !== undefined && { 'last-event-id': id }),
    },
    timeout: silenceMs,
    signal,
  });
  request.on('timeout', () => request.destroy(new Error('the live feed is silent')));
  request.on('response', resolve).on('error', reject).end();
  const response = await promise;
  const { statusCode = 0 } = response;
  if (statusCode === 200) return response;
  const body = await textOf(response);
  if (statusCode >= 400 && statusCode < 500 && statusCode !== 429) {
    throw new FeedRefused(statusCode, body, response.headers['content-type'] ?? 'text/plain');
  }
  throw new Error(`the live feed has status ${statusCode}`);
}

async function readEvents(
  response: IncomingMessage,
  { onEvent, onId }: ProcessFeedOptions,
): Promise<void> {
  const parser = new EventStreamParser();
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    for (const event of parser.push(chunk)) await onEvent(event);
    if (parser.lastEventId !== '') await onId(parser.lastEventId);
  }
}

/** A problem has less; the rest of a longer body is left out. In characters. */
const maxProblemLength = 20_000;

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxProblemLength) break;
  }
  return text.slice(0, maxProblemLength);
}
