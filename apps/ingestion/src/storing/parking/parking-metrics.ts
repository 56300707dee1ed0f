import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Counts parked blocks. */
export class ParkingMetrics {
  readonly #parked: Counter;
  readonly #unparked: Counter;
  readonly #queries: Counter;
  #oldestAt: number | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#parked = new Counter({
      name: 'engawa_ingest_parked_blocks_total',
      help: 'Blocks of throttled devices parked in other partitions, so that no acknowledgement waits for the throttled key.',
      registers,
    });
    this.#unparked = new Counter({
      name: 'engawa_ingest_unparked_blocks_total',
      help: 'Parked blocks deleted because their readings are stored at their device.',
      registers,
    });
    this.#queries = new Counter({
      name: 'engawa_ingest_parked_block_queries_total',
      help: 'Background queries of the partitions of parked blocks: 16 every 30 s, half a read unit each while none is parked.',
      registers,
    });
    const ageSeconds = () => this.#ageSeconds();
    new Gauge({
      name: 'engawa_ingest_oldest_parked_seconds',
      help: 'Age in seconds of the oldest parked block of any replica, as of the last check (every 30 s); 0 if none is parked.',
      registers,
      collect() {
        this.set(ageSeconds());
      },
    });
  }

  parked(blocks: number): void {
    this.#parked.inc(blocks);
  }

  unparked(blocks: number): void {
    this.#unparked.inc(blocks);
  }

  queried(): void {
    this.#queries.inc();
  }

  /** @param parkedAt epoch milliseconds of the oldest parked block; undefined if there is none */
  oldest(parkedAt: number | undefined): void {
    this.#oldestAt = parkedAt;
  }

  #ageSeconds(): number {
    return this.#oldestAt === undefined ? 0 : Math.max(0, (Date.now() - this.#oldestAt) / 1000);
  }
}
