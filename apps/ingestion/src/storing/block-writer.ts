import { invariant } from '@engawa/errors';
import {
  blockItem,
  blockSpanOf,
  contentHash,
  packInSlices,
  packReadings,
  tolerableAheadMs,
} from '@engawa/model';
import { maxBatchWriteItems, ItemRejected } from '@engawa/table';
import { whenKnown } from '../concurrency/when-known.ts';
import { noteWritten, shardsFor } from '../devices/known-device.ts';
import { addSpanEvents } from './add-span-event.ts';
import { BlockPut } from './block-put.ts';
import { BlocksInFlight } from './blocks-in-flight.ts';
import { lastReceiptOf, originsOf, readingsOf, receiptOf } from './parcel.ts';
import type { BlockItem, BlockReceipt, DeviceKind, Reading, SlicedWork } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { BlockMetrics } from './block-metrics.ts';
import type { Pack } from './block-put.ts';
import type { BlocksCaller } from './blocks-in-flight.ts';
import type { Parcel, RefusedReading } from './parcel.ts';
import type { WorkSlicer } from '../concurrency/work-slicer.ts';

export interface BlockWriterOptions {
  writer: BatchWriter;
  devices: Pick<DeviceRegister, 'raiseBlockSpan'>;
  metrics: BlockMetrics;
  /** Of this process, as `randomOrigin` returns it. */
  origin: string;
  /** Spreads the work of large messages over turns of the event loop. */
  slicer: WorkSlicer;
  /** Seconds for which readings of a kind of device are kept; undefined: without a limit. */
  retentionSeconds: (kind: DeviceKind) => number | undefined;
}

/** Maximum cost of readings that are packed and written at once, in fields and readings; others take slices. */
const maxCostAtOnce = 1000;
/** Maximum cost of a step, in fields; 25 small blocks cost less. */
const maxStepCost = 20_000;

type Received = Pick<BlockReceipt, 'receivedAt' | 'isAhead'>;

interface PacksToWrite {
  device: KnownDevice;
  packs: readonly Pack[];
  /** Whether all blocks can be written in this turn of the event loop. */
  isSmall: boolean;
  parcels: readonly Parcel[];
  caller: BlocksCaller;
}

const noneRefused: readonly RefusedReading[] = [];

/** Writes readings as blocks. */
export class BlockWriter {
  readonly #options: BlockWriterOptions;
  #blocks = 0;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
  }

  /** Informs the caller once all readings are durable, except rejected ones. Does not throw. */
  write(device: KnownDevice, parcels: readonly Parcel[], caller: BlocksCaller): void {
    const { slicer } = this.#options;
    const readings = readingsOf(parcels);
    const shards = { shards: shardsFor(device, Infinity) };
    const isSmall = isWithin(maxCostAtOnce, readings);
    const failed = (error: unknown) => caller.failed(error);
    try {
      const packs = isSmall
        ? packReadings(device.id, readings, shards)
        : slicer.run(packInSlices(device.id, readings, shards));
      const write = (known: readonly Pack[]) =>
        this.#writePacks({ device, packs: known, isSmall, parcels, caller });
      whenKnown(packs, write, failed);
    } catch (error) {
      failed(error);
    }
  }

  #writePacks({ device, packs, isSmall, parcels, caller }: PacksToWrite): void {
    const writing = new BlocksInFlight(packs.length, parcels, caller);
    const start = () => {
      addSpanEvents(parcels, 'packed');
      const block = { device, origins: originsOf(parcels), writing };
      const receivedAt = receiptOf(parcels);
      const aheadFrom = lastReceiptOf(parcels) + tolerableAheadMs;
      const write = (pack: Pack) => {
        const received = { receivedAt, isAhead: newestIn(pack) > aheadFrom };
        const receipt = this.#receiptOf(device, pack, received);
        this.#writeBlock(new BlockPut(this, { ...block, pack, receipt }));
      };
      if (isSmall) {
        for (const pack of packs) write(pack);
        return;
      }
      const writes = this.#options.slicer.run(this.#startWrites(packs, write));
      if (writes instanceof Promise) writes.catch((error: unknown) => writing.failed(error));
    };
    const raising = this.#raiseBlockSpan(device, packs);
    whenKnown(raising, start, (error) => writing.failed(error));
  }

  /**
   * Raises the block span of the device before a block is written: with a smaller span a reader would not find the
   * block. If the table rejects the span of all blocks together, each block tries its own.
   * @returns undefined where the span is large enough
   */
  #raiseBlockSpan(device: KnownDevice, packs: readonly Pack[]): Promise<void> | undefined {
    let blockSpan = 0;
    for (const pack of packs) {
      noteWritten(device, oldestIn(pack));
      blockSpan = Math.max(blockSpan, blockSpanOf(pack));
    }
    if (blockSpan <= device.blockSpan) return undefined;
    return this.#options.devices.raiseBlockSpan(device, blockSpan).catch((error: unknown) => {
      if (!(error instanceof ItemRejected)) throw error;
    });
  }

  /**
   * Passes the blocks to the writer, a full batch of them in a step; large blocks take a step each. Blocks that are
   * spread over turns of the event loop would be written in several batches.
   */
  *#startWrites(packs: readonly Pack[], write: (pack: Pack) => void): SlicedWork<void> {
    let [started, cost] = [0, 0];
    for (const pack of packs) {
      write(pack);
      started += 1;
      for (const { fields } of pack) cost += 2 + 4 * Object.keys(fields).length;
      if (started % maxBatchWriteItems !== 0 && cost < maxStepCost) continue;
      yield cost;
      cost = 0;
    }
  }

  #writeBlock(block: BlockPut): void {
    const { device, pack } = block;
    const blockSpan = blockSpanOf(pack);
    // Blocks of one reading have the span 0.
    if (blockSpan <= device.blockSpan) {
      this.#put(block);
      return;
    }
    this.#options.devices.raiseBlockSpan(device, blockSpan).then(
      () => this.#put(block),
      (error: unknown) => block.reject(error),
    );
  }

  #put(block: BlockPut): void {
    try {
      this.#options.writer.putFor(block, this.#item(block));
    } catch (error) {
      block.reject(error);
    }
  }

  /** Called when a block is durable. */
  stored({ device, pack, writing }: BlockPut): void {
    this.#options.metrics.blockStored(device.kind, pack.length);
    writing.ended(noneRefused);
  }

  /** Called when the table rejects a block. It is bisected, so that its other readings are stored. */
  refused(block: BlockPut, detail: string): void {
    const { pack, receipt, writing } = block;
    if (pack.length === 1) {
      writing.ended(pack.map((reading) => ({ reading, detail })));
      return;
    }
    const middle = Math.floor(pack.length / 2);
    writing.split();
    this.#writeBlock(block.withPack(pack.slice(0, middle), this.#nextReceipt(receipt)));
    this.#writeBlock(block.withPack(pack.slice(middle), this.#nextReceipt(receipt)));
  }

  /**
   * A block that repeats the last one of its device gets the same name, so that it overwrites it: a publisher may
   * repeat a message for days.
   */
  #receiptOf(device: KnownDevice, pack: Pack, received: Received): BlockReceipt {
    const hash = pack.every(({ delivery }) => delivery === undefined)
      ? contentHash(pack)
      : undefined;
    const { lastBlock } = device;
    if (hash !== undefined && lastBlock?.hash === hash) return lastBlock.receipt;
    const receipt = this.#nextReceipt(received);
    device.lastBlock = hash === undefined ? undefined : { hash, receipt };
    return receipt;
  }

  #nextReceipt({ receivedAt, isAhead }: Received): BlockReceipt {
    this.#blocks += 1;
    return { receivedAt, isAhead, origin: this.#options.origin, sequence: this.#blocks };
  }

  #item({ device, pack: readings, receipt }: BlockPut): BlockItem {
    const retentionSeconds = this.#options.retentionSeconds(device.kind);
    const newest = newestIn(readings);
    const { id, partitions } = device;
    const shards = shardsFor(device, newest);
    const block = { device: id, partitions, readings, shards, receipt };
    if (retentionSeconds === undefined) return blockItem(block);
    return blockItem({ ...block, ttl: Math.ceil(newest / 1000) + retentionSeconds });
  }
}

/** Epoch milliseconds. */
function newestIn(pack: Pack): number {
  return invariant(pack.at(-1), 'a block has at least one reading').time;
}

function oldestIn(pack: Pack): number {
  return invariant(pack[0], 'a block has at least one reading').time;
}

function isWithin(cost: number, readings: readonly Reading[]): boolean {
  let left = cost - readings.length;
  for (const { fields } of readings) {
    left -= Object.keys(fields).length;
    if (left < 0) return false;
  }
  return left >= 0;
}
