import { setTimeout as sleep } from 'node:timers/promises';
import { parkedPartition, parkedShards } from '@engawa/keys';
import { packingSteps, parkedBlockItem, parseParkedBlock } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { ParkedBlock, ParkedBlockItem, Reading, Steps } from '@engawa/model';
import type { BatchWriter, PageKey, PutOptions, Table } from '@engawa/table';
import type { WorkSlicer } from '../../concurrency/work-slicer.ts';
import type { ParkingMetrics } from './parking-metrics.ts';

export interface ParkedBlocksOptions {
  table: Pick<Table, 'query' | 'deleteAll'>;
  writer: Pick<BatchWriter, 'put'>;
  metrics: Pick<ParkingMetrics, 'parked' | 'unparked' | 'queried'>;
  /** Spreads packing of many readings over turns of the event loop. */
  slicer: WorkSlicer;
  /** Name of this replica, stable across restarts. */
  replica: string;
}

/** The parked blocks in the table: readings whose device's key is throttled. */
export class ParkedBlocks {
  readonly #options: ParkedBlocksOptions;

  constructor(options: ParkedBlocksOptions) {
    this.#options = options;
  }

  /** Packs readings into parked blocks. */
  async pack(device: string, readings: readonly Reading[]): Promise<ParkedBlockItem[]> {
    return this.#options.slicer.run(this.#pack(device, readings));
  }

  *#pack(device: string, readings: readonly Reading[]): Steps<ParkedBlockItem[]> {
    const parked = { owner: this.#options.replica, parkedAt: Date.now() };
    const items: ParkedBlockItem[] = [];
    for (const pack of yield* packingSteps(device, readings)) {
      items.push(parkedBlockItem(device, pack, parked));
      for (const { fields } of pack) yield 1 + Object.keys(fields).length;
    }
    return items;
  }

  /**
   * Resolves once all blocks are durable. Parking the same readings again changes nothing.
   * @throws WriterClosed when the process ends first
   */
  async park(
    blocks: readonly ParkedBlockItem[],
    options: Pick<PutOptions, 'origins'>,
  ): Promise<void> {
    const { writer, metrics } = this.#options;
    await Promise.all(blocks.map((block) => writer.put(block, options)));
    metrics.parked(blocks.length);
  }

  /** Deletes the parked blocks of readings that are stored at their device. Deleting a block twice changes nothing. */
  async remove(keys: readonly Key[]): Promise<void> {
    await this.#options.table.deleteAll(keys);
    this.#options.metrics.unparked(keys.length);
  }

  /** The parked blocks of all replicas: a Query per page of each partition. */
  async *all(signal: AbortSignal): AsyncGenerator<ParkedBlock> {
    for (let shard = 0; shard < parkedShards; shard++) {
      let after: PageKey | undefined;
      do {
        const question = { pk: parkedPartition(shard), signal, ...(after && { after }) };
        // Counted when the request ends, so that a scrape has both or neither.
        const page = await this.#options.table
          .query(question)
          .finally(() => this.#options.metrics.queried());
        for (const item of page.items) yield parseParkedBlock(item);
        after = page.next;
        // Limits the read rate of a large backlog.
        if (after !== undefined) await sleep(pageIntervalMs, undefined, { signal });
      } while (after !== undefined);
    }
  }
}

const pageIntervalMs = 100;
