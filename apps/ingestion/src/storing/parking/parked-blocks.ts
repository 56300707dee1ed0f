import { setTimeout as sleep } from 'node:timers/promises';
import { parkedPartition, parkedShards } from '@engawa/keys';
import { packInSlices, parkedBlockItem, parseParkedBlock } from '@engawa/model';
import { queryPages } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { ParkedBlock, ParkedBlockItem, Reading, SlicedWork } from '@engawa/model';
import type { BatchWriter, PutOptions, QueryTarget, Table } from '@engawa/table';
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

  /** Packs readings into parked blocks. @param receivedAt epoch milliseconds: when the first of them was received */
  async pack(
    device: string,
    readings: readonly Reading[],
    receivedAt: number,
  ): Promise<ParkedBlockItem[]> {
    return this.#options.slicer.run(this.#pack(device, readings, receivedAt));
  }

  *#pack(
    device: string,
    readings: readonly Reading[],
    receivedAt: number,
  ): SlicedWork<ParkedBlockItem[]> {
    const parked = { owner: this.#options.replica, parkedAt: Date.now(), receivedAt };
    const items: ParkedBlockItem[] = [];
    for (const pack of yield* packInSlices(device, readings)) {
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
    const { table, metrics } = this.#options;
    // Counted when the request ends, so that a scrape has the query and its read units, or neither.
    const counted: QueryTarget = {
      query: (request) => table.query(request).finally(() => metrics.queried()),
    };
    for (let shard = 0; shard < parkedShards; shard++) {
      for await (const page of queryPages(counted, { pk: parkedPartition(shard), signal })) {
        for (const item of page.items) yield parseParkedBlock(item);
        // Limits the read rate of a large backlog.
        if (page.next !== undefined) await sleep(pageIntervalMs, undefined, { signal });
      }
    }
  }
}

const pageIntervalMs = 100;
