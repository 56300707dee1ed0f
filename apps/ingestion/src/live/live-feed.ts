import { randomBytes } from 'node:crypto';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { LiveSession } from './live-session.ts';
import type { BlocksCaller } from '../storing/blocks-in-flight.ts';
import type { Parcel } from '../storing/parcel.ts';
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
  /** Undefined while nobody listens: then a write costs one comparison. */
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

  /** @returns whether there is room for a listener; if not, the listener is counted as rejected */
  admits(): boolean {
    const { maxListeners, metrics } = this.#options;
    const isFull = this.listeners >= maxListeners;
    // A feed that is turned off is not overloaded.
    if (isFull && maxListeners > 0) metrics.rejected();
    return !isFull;
  }

  /** @returns the caller of a write that tells the listeners of the readings when they are durable */
  watch(device: string, parcels: readonly Parcel[], caller: BlocksCaller): BlocksCaller {
    return this.#session === undefined ? caller : this.#session.watch(device, parcels, caller);
  }

  listen(request: ListenRequest): void {
    if (this.#isClosed) {
      request.stream.end();
      return;
    }
    this.#session ??= this.#begin();
    this.#session.listen(request);
  }

  /** Sends the last readings, then ends all streams: their clients connect to another replica. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const session = this.#session;
    if (session === undefined) return;
    const isLate = () => new Error('the last readings could not be shown');
    await withTimeout(session.isIdle(), timeoutMs, isLate).catch(() => undefined);
    session.end();
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
