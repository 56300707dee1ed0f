import { batchOf, lostEvent } from './live-event.ts';
import type { EventStream, Places } from '@engawa/http';
import type { EventRing } from './event-ring.ts';
import type { EventBatch, LiveEvent } from './live-event.ts';
import type { LiveMetrics } from './live-metrics.ts';

export interface ListenerOptions {
  stream: EventStream;
  /** The places that the client may see. */
  places: Places;
  ring: Pick<EventRing, 'get'>;
  metrics: Pick<LiveMetrics, 'sent' | 'lost'>;
}

/** Maximum number of events that wait for one listener: their sequences, since their bytes are in the ring. */
const maxWaiting = 1000;

/**
 * One client of the feed. While its socket is full, events wait; of too many, and of those that the ring evicts, the
 * oldest are lost, and the client is told how many.
 */
export class Listener {
  readonly stream: EventStream;
  readonly #options: ListenerOptions;
  /** Sequences of the events that wait for the socket. */
  readonly #waiting: number[] = [];
  #isFull = false;
  #lost = 0;
  #isLossUnknown = false;

  constructor(options: ListenerOptions) {
    this.stream = options.stream;
    this.#options = options;
    this.stream.onDrain(() => this.#drained());
  }

  offer(batch: EventBatch): void {
    const visible = this.#visible(batch);
    if (visible.events.length === 0) return;
    if (!this.#isFull) {
      this.#send(visible);
      return;
    }
    for (const { sequence } of visible.events) {
      this.#waiting.push(sequence);
      if (this.#waiting.length > maxWaiting) this.#loseOldest();
    }
  }

  /** An unknown number of events is lost. */
  loseUnknown(): void {
    this.#isLossUnknown = true;
    if (!this.#isFull) this.#reportLoss();
  }

  /** A listener whose socket is full gets none: it would wait behind the events, whose ids are lower. */
  beat(heartbeat: Buffer): void {
    if (!this.#isFull) this.#write(heartbeat);
  }

  #drained(): void {
    this.#isFull = false;
    // First, so that the loss is reported before the events that follow it.
    while (this.#waiting.length > 0 && this.#oldest() === undefined) this.#loseOldest();
    this.#reportLoss();
    for (let event = this.#next(); event !== undefined; event = this.#next()) {
      this.#waiting.shift();
      this.#send(batchOf([event]));
    }
  }

  /** Undefined if the socket is full, or none waits. */
  #next(): LiveEvent | undefined {
    return this.#isFull ? undefined : this.#oldest();
  }

  /** Undefined if none waits, or the ring has evicted it. */
  #oldest(): LiveEvent | undefined {
    const [sequence] = this.#waiting;
    return sequence === undefined ? undefined : this.#options.ring.get(sequence);
  }

  #loseOldest(): void {
    this.#waiting.shift();
    this.#lost += 1;
  }

  #reportLoss(): void {
    if (this.#lost === 0 && !this.#isLossUnknown) return;
    this.#options.metrics.lost(this.#lost);
    this.#write(lostEvent(this.#isLossUnknown ? undefined : this.#lost));
    this.#lost = 0;
    this.#isLossUnknown = false;
  }

  /** The events of places that the client may see. */
  #visible(batch: EventBatch): EventBatch {
    const { places } = this.#options;
    if (!places.isRestricted) return batch;
    const visible = batch.events.filter(({ place }) => places.allows(place));
    return visible.length === batch.events.length ? batch : batchOf(visible);
  }

  #send({ events, bytes }: EventBatch): void {
    this.#options.metrics.sent(events.length);
    this.#write(bytes);
  }

  #write(bytes: Buffer): void {
    this.#isFull = !this.stream.write(bytes);
  }
}
