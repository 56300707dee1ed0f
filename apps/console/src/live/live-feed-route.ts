import { Problem } from '@engawa/errors';
import { resolveHostByDns, sendProblem } from '@engawa/http';
import { encodeEvent, encodeId } from '../event-stream.ts';
import { FeedPosition } from './feed-position.ts';
import { readMergedFeed } from './merged-feed.ts';
import type { ExchangeHandler, ExchangeResponse, ResolveHost } from '@engawa/http';
import type { FeedRefused } from './process-feed.ts';

/** Milliseconds between comments that keep the connection alive. */
const heartbeatMs = 15_000;
/** Milliseconds until a feed without any reachable process fails, so that the page says so. */
const openTimeoutMs = 5000;

export interface LiveFeedOptions {
  urls: readonly string[];
  /** Aborts when the console closes, which ends all feeds. */
  signal: AbortSignal;
  resolveHost?: ResolveHost;
  /** Milliseconds until processes that have rejected a request are asked again; by default ten seconds. */
  intervalMs?: number | undefined;
}

/** `GET /api/live`: the live feeds of all ingestion processes as one stream of events. */
export function liveFeedRoute(options: LiveFeedOptions): ExchangeHandler {
  return (request, response) => {
    const { exchange } = response.locals;
    exchange.route = '/api/live';
    const ended = new AbortController();
    const signal = AbortSignal.any([exchange.signal, options.signal, ended.signal]);
    const output = new FeedOutput(response, () => ended.abort());
    signal.addEventListener('abort', () => output.end(), { once: true });
    const authorization = request.get('authorization');
    void readMergedFeed({
      urls: options.urls,
      query: request.originalUrl.replace(/^[^?]*/, ''),
      headers: {
        'x-request-id': exchange.requestId,
        ...(authorization !== undefined && { authorization }),
      },
      position: FeedPosition.parse(request.get('last-event-id')),
      resolveHost: options.resolveHost ?? resolveHostByDns,
      onOpen: (feeds) => output.open(feeds),
      onEvent: (event) => output.write(encodeEvent(event)),
      onId: (id) => output.write(encodeId(id)),
      onRefused: (refused) => output.refuse(refused),
      intervalMs: options.intervalMs,
      signal,
    });
  };
}

/** The response of one browser: its status is decided by the first process that answers. */
class FeedOutput {
  readonly #response: ExchangeResponse;
  readonly #onEnd: () => void;
  readonly #openTimer: NodeJS.Timeout;
  #heartbeat: NodeJS.Timeout | undefined;
  #feeds = '';

  constructor(response: ExchangeResponse, onEnd: () => void) {
    this.#response = response;
    this.#onEnd = onEnd;
    this.#openTimer = setTimeout(() => this.#fail(), openTimeoutMs);
  }

  /** Begins the stream, and tells the browser how many processes it is made of: without all, values are incomplete. */
  open(feeds: { open: number; all: number }): void {
    if (!this.#response.headersSent) this.#begin();
    const data = JSON.stringify(feeds);
    if (data === this.#feeds) return;
    this.#feeds = data;
    void this.write(encodeEvent({ event: 'processes', id: '', data }));
  }

  #begin(): void {
    clearTimeout(this.#openTimer);
    this.#response
      .status(200)
      .set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    this.#heartbeat = setInterval(() => void this.write(': heartbeat\n\n'), heartbeatMs);
  }

  /** @returns a promise where the browser is slow: the feeds wait, and ingestion drops their oldest events */
  write(text: string): Promise<void> | undefined {
    if (this.#response.destroyed || this.#response.writableEnded) return undefined;
    if (this.#response.write(text)) return undefined;
    return drained(this.#response);
  }

  /** All processes have rejected the request. */
  refuse({ status, body, contentType }: FeedRefused): void {
    if (!this.#response.headersSent) this.#response.status(status).type(contentType).send(body);
    this.end();
  }

  end(): void {
    clearTimeout(this.#openTimer);
    clearInterval(this.#heartbeat);
    if (!this.#response.writableEnded) this.#response.end();
    this.#onEnd();
  }

  #fail(): void {
    if (this.#response.headersSent) return;
    const detail = 'No ingestion process answers the request for its live feed.';
    sendProblem(new Problem('service-unreachable', detail), this.#response);
    this.end();
  }
}

/** Resolves when the browser has read the buffered events, or has disconnected. */
function drained(response: ExchangeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
