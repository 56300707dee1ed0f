import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What is measured of families that have more than one shard. */
export class ShardMetrics {
  readonly #shards;
  readonly #reshards;
  readonly #reads;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#shards = new Gauge({
      name: 'engawa_partition_shards',
      help: 'Keys that a family is spread over, of families with more than one; of devices, and of rankings within an entity, the most that one of them has.',
      labelNames: ['family'],
      registers,
    });
    this.#reshards = new Counter({
      name: 'engawa_partition_reshards_total',
      help: 'Times that this process has given a family more keys.',
      labelNames: ['family'],
      registers,
    });
    this.#reads = new Counter({
      name: 'engawa_shard_map_reads_total',
      help: 'Queries for the shard map, made on time and for nobody.',
      registers,
    });
  }

  /** @param family by its name, or `DEVICE` for all devices together */
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
