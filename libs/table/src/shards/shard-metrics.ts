import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Metrics of the shards of key families. */
export class ShardMetrics {
  readonly #shards;
  readonly #reshards;
  readonly #reads;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#shards = new Gauge({
      name: 'engawa_partition_shards',
      help: 'Number of shards of a key family; for devices, and for rankings within an entity, the number of the one with the most. Families with one shard are absent.',
      labelNames: ['family'],
      registers,
    });
    this.#reshards = new Counter({
      name: 'engawa_partition_reshards_total',
      help: 'Times that this process has added shards to a key family.',
      labelNames: ['family'],
      registers,
    });
    this.#reads = new Counter({
      name: 'engawa_shard_map_reads_total',
      help: 'Background refresh queries of the shard map.',
      registers,
    });
  }

  /** @param family its label (`familyLabel`), `DEVICE` for all devices together */
  shards(family: string, count: number): void {
    this.#shards.set({ family }, count);
  }

  grown(family: string): void {
    this.#reshards.inc({ family });
  }

  mapRead(): void {
    this.#reads.inc();
  }
}
