import { LatencyHistogram } from '@engawa/service';
import { Counter } from 'prom-client';
import { MemoryMetrics } from './intake/memory-metrics.ts';
import { ParkingMetrics } from './storing/parking/parking-metrics.ts';
import { BookkeepingMetrics } from './devices/bookkeeping/bookkeeping-metrics.ts';
import { RebirthMetrics } from './decoders/sparkplug/rebirth-metrics.ts';
import type { DeadLetterReason, DeviceKind } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { Registry } from 'prom-client';

/** What became of a message. */
export type MessageOutcome = 'stored' | 'dead_lettered' | 'ignored';

/** What ingestion counts. Labels are bounded: never a device or a topic. */
export class IngestionMetrics {
  readonly #messages: Counter<'decoder' | 'outcome'>;
  readonly #readings: Counter<'kind'>;
  readonly #blocks: Counter<'kind'>;
  readonly #deadLetters: Counter<'reason'>;
  readonly #deadLettersEnded: Counter<'by'>;
  readonly #httpReadings: Counter<'outcome'>;
  readonly bookkeeping: BookkeepingMetrics;
  readonly #storeSeconds: LatencyHistogram;
  readonly parking: ParkingMetrics;
  readonly rebirths: RebirthMetrics;
  readonly memory: MemoryMetrics;

  constructor(registry: Registry) {
    const registers = [registry];
    this.bookkeeping = new BookkeepingMetrics(registry);
    this.#messages = new Counter({
      name: 'engawa_ingest_messages_total',
      help: 'MQTT messages that are done with: stored, dead_lettered (if only a part of it), ignored (nothing in it is a reading), repeated (delivered again or replayed as a retained message), dropped_qos0.',
      labelNames: ['decoder', 'outcome'],
      registers,
    });
    this.#readings = new Counter({
      name: 'engawa_ingest_readings_total',
      help: 'Readings stored.',
      labelNames: ['kind'],
      registers,
    });
    this.#blocks = new Counter({
      name: 'engawa_ingest_blocks_total',
      help: 'Reading blocks written.',
      labelNames: ['kind'],
      registers,
    });
    this.#deadLetters = new Counter({
      name: 'engawa_ingest_dead_letters_total',
      help: 'Dead letters kept, by the first reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#deadLettersEnded = new Counter({
      name: 'engawa_ingest_dead_letters_ended_total',
      help: 'Dead letters removed: replayed or discarded. Those that expire are not counted.',
      labelNames: ['by'],
      registers,
    });
    this.#httpReadings = new Counter({
      name: 'engawa_ingest_http_readings_total',
      help: 'Readings that came over HTTP, by outcome: stored or refused.',
      labelNames: ['outcome'],
      registers,
    });
    this.#storeSeconds = new LatencyHistogram(registry, {
      name: 'engawa_ingest_store_seconds',
      help: 'From the receipt of a message until all of it is durable.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    });
    this.parking = new ParkingMetrics(registry);
    this.rebirths = new RebirthMetrics(registry);
    this.memory = new MemoryMetrics(registry);
  }

  /** @param ageMs since its receipt */
  messageDone(decoder: string, outcome: MessageOutcome, ageMs: number, span?: Span): void {
    this.#messages.inc({ decoder, outcome });
    this.#storeSeconds.observe({}, ageMs / 1000, span);
  }

  /** A message of QoS 0, which nobody sends again, for which there was no room. */
  messageDropped(decoder: string): void {
    this.#messages.inc({ decoder, outcome: 'dropped_qos0' });
  }

  /** A message that the broker delivered again, or replayed, and that was received before. */
  messageRepeated(decoder: string): void {
    this.#messages.inc({ decoder, outcome: 'repeated' });
  }

  blockStored(kind: DeviceKind, readings: number): void {
    this.#blocks.inc({ kind });
    this.#readings.inc({ kind }, readings);
  }

  deadLetterKept(reason: DeadLetterReason): void {
    this.#deadLetters.inc({ reason });
  }

  deadLetterEnded(by: 'replay' | 'discard'): void {
    this.#deadLettersEnded.inc({ by });
  }

  httpReadings({ stored, refused }: { stored: number; refused: number }): void {
    this.#httpReadings.inc({ outcome: 'stored' }, stored);
    this.#httpReadings.inc({ outcome: 'refused' }, refused);
  }
}
