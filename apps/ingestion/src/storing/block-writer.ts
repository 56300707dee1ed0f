import { blockItem, blockSpanOf, packInSlices, packReadings } from '@engawa/model';
import { maxBatchWriteItems, ItemRejected } from '@engawa/table';
import { whenKnown } from '../concurrency/when-known.ts';
import { shardsFor } from '../devices/known-device.ts';
import { addSpanEvent } from './add-span-event.ts';
import { BlocksInFlight } from './blocks-in-flight.ts';
import { originsOf, readingsOf } from './parcel.ts';
import type { BlockItem, DeviceKind, Reading, SlicedWork } from '@engawa/model';
import type { BatchWriter, PutCaller } from '@engawa/table';
import type { SpanContext } from '@opentelemetry/api';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { BlockMetrics } from './block-metrics.ts';
import type { BlocksCaller } from './blocks-in-flight.ts';
import type { Parcel, RefusedReading } from './parcel.ts';
import type { WorkSlicer } from '../concurrency/work-slicer.ts';

export interface BlockWriterOptions {
  writer: BatchWriter;
  devices: Pick<DeviceRegister, 'raiseBlockSpan'>;
  metrics: BlockMetrics;
  /** Spreads the work of large messages over turns of the event loop. */
  slicer: WorkSlicer;
  /** Seconds for which readings of a kind of device are kept; undefined: without a limit. */
  retentionSeconds: (kind: DeviceKind) => number | undefined;
}

/** Maximum cost of readings that are packed and written at once, in fields and readings; others take slices. */
const maxCostAtOnce = 1000;
/** Maximum cost of a step, in fields; 25 small blocks cost less. */
const maxStepCost = 20_000;

/** The readings of a block. */
type Pack = readonly Reading[];

interface PacksToWrite {
  device: KnownDevice;
  packs: readonly Pack[];
  /** Whether all blocks can be written in this turn of the event loop. */
  isSmall: boolean;
  parcels: readonly Parcel[];
  caller: BlocksCaller;
}

interface BlockToWrite {
  device: KnownDevice;
  pack: Pack;
  origins: readonly SpanContext[] | undefined;
  writing: BlocksInFlight;
}

const noneRefused: readonly RefusedReading[] = [];

/** Writes readings as blocks. */
export class BlockWriter {
  readonly #options: BlockWriterOptions;

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
    const writing = new BlocksInFlight(packs.length, {
      stored: (refused) => {
        addSpanEvents(parcels, 'stored');
        caller.stored(refused);
      },
      failed: (error) => caller.failed(error),
    });
    const failed = (error: unknown) => writing.failed(error);
    const start = () => {
      addSpanEvents(parcels, 'packed');
      const origins = originsOf(parcels);
      const write = (pack: Pack) => this.#writeBlock({ device, pack, origins, writing });
      if (isSmall) for (const pack of packs) write(pack);
      else
        whenKnown(
          this.#options.slicer.run(this.#startWrites(packs, write)),
          () => undefined,
          failed,
        );
    };
    whenKnown(this.#raiseBlockSpan(device, packs), start, failed);
  }

  /**
   * Raises the block span of the device before a block is written: with a smaller span a reader would not find the
   * block. If the table rejects the span of all blocks together, each block tries its own.
   * @returns undefined where the span is large enough
   */
  #raiseBlockSpan(device: KnownDevice, packs: readonly Pack[]): Promise<void> | undefined {
    let blockSpan = 0;
    for (const pack of packs) {
      device.oldestWritten = Math.min(device.oldestWritten, pack[0]?.time ?? Infinity);
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

  #writeBlock(block: BlockToWrite): void {
    const { device, pack, origins, writing } = block;
    const { writer, metrics, devices } = this.#options;
    const caller: PutCaller = {
      whenThrottled: 'wait',
      origins,
      resolve: () => {
        metrics.blockStored(device.kind, pack.length);
        writing.ended(noneRefused);
      },
      reject: (error) => {
        if (error instanceof ItemRejected) this.#bisect(block, error.message);
        else writing.failed(error);
      },
    };
    const put = () => {
      try {
        writer.putFor(caller, this.#item(device, pack));
      } catch (error) {
        caller.reject(error);
      }
    };
    const blockSpan = blockSpanOf(pack);
    // Blocks of one reading have the span 0.
    if (blockSpan <= device.blockSpan) put();
    else
      devices.raiseBlockSpan(device, blockSpan).then(put, (error: unknown) => caller.reject(error));
  }

  /** Bisects a block that the table rejects, so that the other readings of the block are stored. */
  #bisect(block: BlockToWrite, detail: string): void {
    const { pack, writing } = block;
    if (pack.length === 1) {
      writing.ended(pack.map((reading) => ({ reading, detail })));
      return;
    }
    const middle = Math.floor(pack.length / 2);
    writing.split();
    this.#writeBlock({ ...block, pack: pack.slice(0, middle) });
    this.#writeBlock({ ...block, pack: pack.slice(middle) });
  }

  #item(device: KnownDevice, readings: readonly Reading[]): BlockItem {
    const retentionSeconds = this.#options.retentionSeconds(device.kind);
    const newest = readings.at(-1)?.time ?? 0;
    const { id, partitions } = device;
    const block = { device: id, partitions, readings, shards: shardsFor(device, newest) };
    if (retentionSeconds === undefined) return blockItem(block);
    return blockItem({ ...block, ttl: Math.ceil(newest / 1000) + retentionSeconds });
  }
}

function isWithin(cost: number, readings: readonly Reading[]): boolean {
  let left = cost - readings.length;
  for (let index = 0; left >= 0 && index < readings.length; index++) {
    left -= Object.keys(readings[index]?.fields ?? {}).length;
  }
  return left >= 0;
}

function addSpanEvents(parcels: readonly Parcel[], step: 'packed' | 'stored'): void {
  for (const { traceSpan } of parcels) addSpanEvent(traceSpan, step);
}
