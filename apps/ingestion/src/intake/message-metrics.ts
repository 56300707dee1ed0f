import { FrequentCounter, LatencyHistogram } from '@engawa/service';
import type { Tally } from '@engawa/service';
import type { Span } from '@opentelemetry/api';
import type { Registry } from 'prom-client';

/** Outcome of an acknowledged message. */
export type MessageOutcome = 'stored' | 'dead_lettered' | 'ignored' | 'unrecognized' | 'repeated';

/** Counts messages by outcome and measures how long they take. */
export class MessageMetrics {
  readonly #messages: FrequentCounter<'decoder' | 'outcome'>;
  /** By decoder. */
  readonly #stored = new Map<string, Tally>();
  readonly #storeSeconds: LatencyHistogram;

  constructor(registry: Registry) {
    this.#messages = new FrequentCounter(registry, {
      name: 'engawa_ingest_messages_total',
      help: 'MQTT messages by outcome: stored, dead_lettered (all or part of it), ignored (contains no reading, or is a copy whose readings another member of the group stores), unrecognized (taken by a default topic filter, and its payload is not of that brand: not stored), repeated (delivered again, or a retained message whose readings were stored before), dropped_qos0.',
      labelNames: ['decoder', 'outcome'],
    });
    this.#storeSeconds = new LatencyHistogram(registry, {
      name: 'engawa_ingest_store_seconds',
      help: 'Seconds from the receipt of a message until everything in it is durable.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    });
  }

  /** @param ageMs time since its receipt */
  released(decoder: string, outcome: MessageOutcome, ageMs: number, traceSpan?: Span): void {
    if (outcome === 'stored') this.#storedBy(decoder).count += 1;
    else this.#messages.add({ decoder, outcome });
    this.#storeSeconds.observe({}, ageMs / 1000, traceSpan);
  }

  /** A message of QoS 0, which is never sent again, was dropped because the window was full. */
  dropped(decoder: string): void {
    this.#messages.add({ decoder, outcome: 'dropped_qos0' });
  }

  /** The broker delivered a message again, or replayed a retained message, that was received before. */
  repeated(decoder: string): void {
    this.#messages.add({ decoder, outcome: 'repeated' });
  }

  #storedBy(decoder: string): Tally {
    const known = this.#stored.get(decoder);
    if (known !== undefined) return known;
    const tally = this.#messages.of({ decoder, outcome: 'stored' });
    this.#stored.set(decoder, tally);
    return tally;
  }
}
