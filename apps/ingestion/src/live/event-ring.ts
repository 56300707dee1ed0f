import { invariant } from '@engawa/errors';
import type { LiveEvent } from './live-event.ts';

export interface EventRingLimits {
  events: number;
  bytes: number;
}

/** Estimated bytes of an event in memory, beside the bytes that are sent. */
const overheadBytes = 300;
/** Evicted events whose places in the array are given back together. */
const compactedAt = 1000;

const inMemory = 'an event that is not evicted is in memory';

/** The newest events, by sequence. The oldest are evicted. */
export class EventRing {
  readonly #limits: EventRingLimits;
  /** In the order of their sequences; undefined before `#first`. A Map would search its first element each time. */
  readonly #events: (LiveEvent | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #evictedThrough: number;

  /** @param sequence of the last event before the ring */
  constructor(limits: EventRingLimits, sequence: number) {
    this.#limits = limits;
    this.#evictedThrough = sequence;
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The ring contains every recorded event after this sequence. */
  get evictedThrough(): number {
    return this.#evictedThrough;
  }

  add(event: LiveEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes.length + overheadBytes;
    const { events, bytes } = this.#limits;
    while (this.#events.length - this.#first > events || this.#bytes > bytes) this.#evict();
    if (this.#first >= compactedAt) {
      this.#events.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Undefined if the event has been evicted. */
  get(sequence: number): LiveEvent | undefined {
    const event = this.#events[this.#indexAfter(sequence - 1)];
    return event?.sequence === sequence ? event : undefined;
  }

  *after(sequence: number): Generator<LiveEvent> {
    for (let index = this.#indexAfter(sequence); index < this.#events.length; index++) {
      const event = this.#events[index];
      if (event !== undefined) yield event;
    }
  }

  /** Evicts everything: events up to this sequence were not recorded. */
  clear(sequence: number): void {
    this.#events.length = 0;
    this.#first = 0;
    this.#bytes = 0;
    this.#evictedThrough = sequence;
  }

  #evict(): void {
    const oldest = invariant(this.#events[this.#first], inMemory);
    this.#events[this.#first] = undefined;
    this.#first += 1;
    this.#bytes -= oldest.bytes.length + overheadBytes;
    this.#evictedThrough = oldest.sequence;
  }

  /** Index of the first event after this sequence. */
  #indexAfter(sequence: number): number {
    let [low, high] = [this.#first, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = invariant(this.#events[middle], inMemory);
      if (event.sequence <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
