import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { readingsOf } from '../storing/parcel.ts';
import { Arrivals } from './arrivals.ts';
import { DeviceLocations } from './device-locations.ts';
import { EventRing } from './event-ring.ts';
import { Listener } from './listener.ts';
import { batchOf, heartbeat, readingEvent, sourceOf } from './live-event.ts';
import { Subscriptions } from './subscriptions.ts';
import { WritesInOrder } from './writes-in-order.ts';
import type { EventStream, Places } from '@engawa/http';
import type { Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { BlocksCaller } from '../storing/blocks-in-flight.ts';
import type { Parcel } from '../storing/parcel.ts';
import type { DeviceLocation } from './device-locations.ts';
import type { LiveMetrics } from './live-metrics.ts';
import type { LiveFilter, Subscription } from './subscription.ts';

export interface LiveSessionOptions {
  /** Part of the ids of events, unique to this process. */
  process: string;
  /** Sequence of the last event of the previous session. */
  sequence: number;
  table: Pick<Table, 'getAll'>;
  metrics: Pick<LiveMetrics, 'sent' | 'lost'>;
  log: Logger;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** A client that begins to listen. */
export interface ListenRequest {
  filter: LiveFilter;
  places: Places;
  /** Id of the last event that the client received from an earlier connection. */
  lastEventId: string | undefined;
  stream: EventStream;
}

const ringLimits = { events: 10_000, bytes: 8 * 1024 * 1024 };

/** How long events are recorded for clients that have disconnected. */
const keptMs = 60_000;

/**
 * Bounds the CPU for the feed, however many readings arrive: a write takes about 10 us. Each further reading in the
 * same write takes less than 1 us.
 */
const maxWritesPerSecond = 10_000;

/** Maximum number of filters whose listeners have all disconnected. */
const maxEmptySubscriptions = 1000;

/** The feed while there are listeners, and for a minute after. */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #ring: EventRing;
  readonly #subscriptions = new Subscriptions();
  readonly #arrivals: Arrivals;
  readonly #writes: WritesInOrder;
  /** Those with events of this turn of the event loop. */
  readonly #pending = new Set<Subscription>();
  /** Number of writes since the last pause. */
  #written = 0;
  #sequence: number;
  #listeners = 0;

  constructor(options: LiveSessionOptions) {
    const { sequence, log } = options;
    this.#options = options;
    this.#sequence = sequence;
    this.#ring = new EventRing(ringLimits, sequence);
    const onDropped = (reason: unknown) => {
      log.debug({ reason }, 'live feed: readings dropped');
      this.#loseUnknown();
    };
    const arrivals = new Arrivals({
      locations: new DeviceLocations(options),
      publish: (device, reading, location) => this.#publish(device, reading, location),
      endTurn: () => this.#flush(),
      pause: () => this.#pause(),
      onDropped,
    });
    const onStored = arrivals.add.bind(arrivals);
    this.#arrivals = arrivals;
    this.#writes = new WritesInOrder({ onStored, onDropped });
  }

  /** Of the last event. */
  get sequence(): number {
    return this.#sequence;
  }

  get listeners(): number {
    return this.#listeners;
  }

  /** Bytes that wait in memory. */
  get bufferedBytes(): number {
    let bytes = this.#ring.bytes;
    for (const { listeners } of this.#subscriptions.all()) {
      for (const { stream } of listeners) bytes += stream.bufferedBytes;
    }
    return bytes;
  }

  get isOver(): boolean {
    return this.#subscriptions.size === 0;
  }

  /** As `LiveFeed.watch`. */
  watch(device: string, parcels: readonly Parcel[], caller: BlocksCaller): BlocksCaller {
    if (!this.#subscriptions.maySelect(device)) return caller;
    const write = this.#writes.begin(device);
    return {
      stored: (refused) => {
        const all = readingsOf(parcels);
        const isRefused = new Set(refused.map(({ reading }) => reading));
        const durable = refused.length === 0 ? all : all.filter((each) => !isRefused.has(each));
        caller.stored(refused); // first: no acknowledgement waits for a listener
        this.#writes.end(write, durable);
      },
      failed: (error) => {
        caller.failed(error);
        this.#writes.end(write, []);
      },
    };
  }

  /** Resolves when the durable readings have been sent. */
  isIdle(): Promise<void> {
    return this.#arrivals.isIdle;
  }

  listen({ filter, places, lastEventId, stream }: ListenRequest): void {
    const { metrics } = this.#options;
    const existing = this.#subscriptions.find(filter);
    // With a sequence of its own: the last event was recorded before, for other filters only.
    const subscription = existing ?? this.#subscriptions.add(filter, ++this.#sequence);
    const listener = new Listener({ stream, places, ring: this.#ring, metrics });
    if (lastEventId !== undefined) this.#resume(listener, subscription, lastEventId);
    // So that a client that is disconnected before its first event knows where to continue.
    listener.beat(this.#heartbeat());
    subscription.listeners.add(listener);
    subscription.emptySince = undefined;
    this.#listeners += 1;
    stream.onEnd(() => {
      subscription.listeners.delete(listener);
      this.#listeners -= 1;
      if (subscription.listeners.size === 0) subscription.emptySince = this.#options.now();
    });
  }

  /** Sends heartbeats, and forgets the filters of clients that have not come back. */
  beat(): void {
    const now = this.#options.now();
    const bytes = this.#heartbeat();
    const empty: Subscription[] = [];
    for (const subscription of this.#subscriptions.all()) {
      for (const listener of subscription.listeners) listener.beat(bytes);
      if (subscription.emptySince !== undefined) empty.push(subscription);
    }
    const excess = empty.length - maxEmptySubscriptions;
    for (const [index, subscription] of empty.entries()) {
      const { emptySince = now } = subscription;
      if (index < excess || now - emptySince >= keptMs) this.#subscriptions.remove(subscription);
    }
  }

  end(): void {
    for (const { listeners } of this.#subscriptions.all()) {
      for (const { stream } of listeners) stream.end();
    }
  }

  /** Sends what the client has missed; if the ring does not have all of it, the client is told first. */
  #resume(listener: Listener, subscription: Subscription, lastEventId: string): void {
    const [process, text = ''] = lastEventId.split(':');
    const last = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    const isOwn = process === this.#options.process && last <= this.#sequence;
    const isComplete = isOwn && last >= this.#ring.evictedThrough && last >= subscription.since;
    if (!isComplete) listener.loseUnknown();
    if (!isOwn) return;
    for (const event of this.#ring.after(last)) {
      if (subscription.selects(event)) listener.offer(batchOf([event]));
    }
  }

  /** With the id of the last event: every listener has received those that it selects, unless its socket is full. */
  #heartbeat(): Buffer {
    return heartbeat(this.#idOf(this.#sequence));
  }

  #idOf(sequence: number): string {
    return `${this.#options.process}:${sequence}`;
  }

  #publish(device: string, reading: Reading, location: DeviceLocation): void {
    const source = sourceOf(device, reading, location);
    const selecting = this.#subscriptions.selecting(source);
    if (selecting.size === 0) return;
    const sequence = ++this.#sequence;
    const bytes = readingEvent(this.#idOf(sequence), source, reading);
    const event = { sequence, ...source, bytes };
    this.#ring.add(event);
    for (const subscription of selecting) {
      if (subscription.offer(event)) this.#pending.add(subscription);
    }
  }

  /** So long that readings that arrive meanwhile share their writes. */
  #pause(): Promise<unknown> {
    const pauseMs = Math.floor((this.#written * 1000) / maxWritesPerSecond);
    this.#written = 0;
    return pauseMs === 0 ? nextTurn() : sleep(pauseMs);
  }

  #flush(): void {
    for (const subscription of this.#pending) {
      subscription.flush();
      this.#written += subscription.listeners.size;
    }
    this.#pending.clear();
  }

  #loseUnknown(): void {
    this.#ring.clear(++this.#sequence);
    for (const { listeners } of this.#subscriptions.all()) {
      for (const listener of listeners) listener.loseUnknown();
    }
  }
}
