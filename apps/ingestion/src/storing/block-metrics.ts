import { FrequentCounter } from '@engawa/service';
import type { DeviceKind } from '@engawa/model';
import type { Tally } from '@engawa/service';
import type { Registry } from 'prom-client';

/** Counts blocks and readings that are durable. */
export class BlockMetrics {
  readonly #readings: FrequentCounter<'kind'>;
  readonly #blocks: FrequentCounter<'kind'>;
  readonly #ofKinds = new Map<DeviceKind, { readings: Tally; blocks: Tally }>();

  constructor(registry: Registry) {
    this.#readings = new FrequentCounter(registry, {
      name: 'engawa_ingest_readings_total',
      help: 'Readings stored.',
      labelNames: ['kind'],
    });
    this.#blocks = new FrequentCounter(registry, {
      name: 'engawa_ingest_blocks_total',
      help: 'Reading blocks written.',
      labelNames: ['kind'],
    });
  }

  blockStored(kind: DeviceKind, readings: number): void {
    const tallies = this.#ofKinds.get(kind) ?? this.#open(kind);
    tallies.blocks.count += 1;
    tallies.readings.count += readings;
  }

  #open(kind: DeviceKind): { readings: Tally; blocks: Tally } {
    const tallies = { readings: this.#readings.of({ kind }), blocks: this.#blocks.of({ kind }) };
    this.#ofKinds.set(kind, tallies);
    return tallies;
  }
}
