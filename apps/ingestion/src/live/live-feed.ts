import { randomBytes } from 'node:crypto';
import { LiveSession } from './live-session.ts';
import type { Reading } from '@engawa/model';
import type { LiveMetrics } from './live-metrics.ts';
import type { ListenRequest, LiveSessionOptions } from './live-session.ts';

export interface LiveFeedOptions extends Pick<LiveSessionOptions, 'table' | 'log' | 'now'> {
  metrics: LiveMetrics;
  maxListeners: number;
}

const heartbeatMs = 15_000;

/** The durable readings of this process, as they are stored, for the clients of GET /v1/live. */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #process = randomBytes(6).toString('hex');
  /** Undefined while nobody listens: then a stored block costs one comparison. */
  #session: LiveSession | undefined;
  #sequence = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
    options.metrics.watch(this);
  }

  get listeners(): number {
    return this.#session?.listeners ?? 0;
  }

  get bufferedBytes(): number {
    return this.#session?.bufferedBytes ?? 0;
  }

  get isFull(): boolean {
    return this.listeners >= this.#options.maxListeners;
  }

  /** Called with each block, or part of one, once it is durable. */
  stored(device: string, readings: readonly Reading[]): void {
    if (this.#session !== undefined) this.#session.stored(device, readings);
  }

  listen(request: ListenRequest): void {
    if (this.#isClosed) {
      request.stream.end();
      return;
    }
    this.#session ??= this.#begin();
    this.#session.listen(request);
  }

  /** Ends all streams: their clients connect to another replica. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#session?.end();
    this.#session = undefined;
  }

  #begin(): LiveSession {
    this.#timer = setInterval(() => this.beat(), heartbeatMs).unref();
    return new LiveSession({
      ...this.#options,
      process: this.#process,
      sequence: this.#sequence,
    });
  }

  /** To be called every 15 seconds; a timer does. */
  beat(): void {
    this.#session?.beat();
    if (this.#session?.isOver !== true) return;
    clearInterval(this.#timer);
    this.#sequence = this.#session.sequence;
    this.#session = undefined;
  }
}
