import type { LiveEvent } from './live-event.ts';

export interface EventRingLimits {
  events: number;
  bytes: number;
}

/** Estimated bytes of an event in memory, beside the bytes that are sent. */
const overheadBytes = 300;

/** The newest events, by sequence. The oldest are evicted. */
export class EventRing {
  readonly #limits: EventRingLimits;
  /** In the order of their sequences. */
  readonly #events = new Map<number, LiveEvent>();
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
    this.#events.set(event.sequence, event);
    this.#bytes += event.bytes.length + overheadBytes;
    for (const oldest of this.#events.values()) {
      const { events, bytes } = this.#limits;
      if (this.#events.size <= events && this.#bytes <= bytes) return;
      this.#events.delete(oldest.sequence);
      this.#bytes -= oldest.bytes.length + overheadBytes;
      this.#evictedThrough = oldest.sequence;
    }
  }

  /** Undefined if the event has been evicted. */
  get(sequence: number): LiveEvent | undefined {
    return this.#events.get(sequence);
  }

  *after(sequence: number): Generator<LiveEvent> {
    for (const event of this.#events.values()) if (event.sequence > sequence) yield event;
  }

  /** Evicts everything: events up to this sequence were not recorded. */
  clear(sequence: number): void {
    this.#events.clear();
    this.#bytes = 0;
    this.#evictedThrough = sequence;
  }
}
