import { Counter } from 'prom-client';
import type { DeviceKind } from '@engawa/model';
import type { Registry } from 'prom-client';

/** Counts blocks and readings that are durable. */
export class BlockMetrics {
  readonly #readings: Counter<'kind'>;
  readonly #blocks: Counter<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
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
  }

  blockStored(kind: DeviceKind, readings: number): void {
    this.#blocks.inc({ kind });
    this.#readings.inc({ kind }, readings);
  }
}
