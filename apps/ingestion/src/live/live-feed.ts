import { randomBytes } from 'node:crypto';
import { ClientCounts, isWithinShare } from '@engawa/http';
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

/** A client that begins to listen, as the limits per client count it. */
export interface ClientRequest extends ListenRequest {
  client: string;
}

const heartbeatMs = 15_000;

/** The durable readings of this process, as they are stored, for the clients of GET /v1/live. */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  readonly #process = randomBytes(6).toString('hex');
  /** Undefined while nobody listens: then a write costs one comparison. */
  #session: LiveSession | undefined;
  #sequence = 0;
  readonly #ofClient = new ClientCounts();
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

  listenersOf(client: string): number {
    return this.#ofClient.of(client);
  }

  /**
   * @returns whether there is room for a listener, and within the share of its client. Without room, the listener is
   * counted as rejected.
   */
  admits(client: string): 'yes' | 'full' | 'share' {
    const { maxListeners, metrics } = this.#options;
    const free = maxListeners - this.listeners;
    if (free > 0) return isWithinShare(this.listenersOf(client), free) ? 'yes' : 'share';
    // A feed that is turned off is not overloaded.
    if (maxListeners > 0) metrics.rejected();
    return 'full';
  }

  /** @returns the caller of a write that tells the listeners of the readings when they are durable */
  watch(device: string, parcels: readonly Parcel[], caller: BlocksCaller): BlocksCaller {
    return this.#session === undefined ? caller : this.#session.watch(device, parcels, caller);
  }

  listen(request: ClientRequest): void {
    if (this.#isClosed) {
      request.stream.end();
      return;
    }
    const { client, stream } = request;
    this.#ofClient.add(client);
    stream.onEnd(() => this.#ofClient.remove(client));
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
