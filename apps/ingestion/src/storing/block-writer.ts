import { blockItem, blockSpanOf, packInSlices } from '@engawa/model';
import { maxBatchWriteItems, ItemRejected } from '@engawa/table';
import { shardsFor } from '../devices/known-device.ts';
import { addSpanEvent } from './add-span-event.ts';
import { originsOf } from './parcel.ts';
import type { BlockItem, DeviceKind, Reading, SlicedWork } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';
import type { SpanContext } from '@opentelemetry/api';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { BlockMetrics } from './block-metrics.ts';
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

/** Maximum cost of a step, in fields; 25 small blocks cost less. */
const maxStepCost = 20_000;

/** Writes readings as blocks. */
export class BlockWriter {
  readonly #options: BlockWriterOptions;

  constructor(options: BlockWriterOptions) {
    this.#options = options;
  }

  /**
   * Resolves once all readings are durable, except rejected ones.
   * @returns the rejected readings
   * @throws WriterClosed when the process ends first
   */
  async write(device: KnownDevice, parcels: readonly Parcel[]): Promise<RefusedReading[]> {
    const { slicer } = this.#options;
    const readings = parcels.flatMap((parcel) => parcel.readings);
    const shards = shardsFor(device, Infinity);
    const packs = await slicer.run(packInSlices(device.id, readings, { shards }));
    await this.#raiseBlockSpan(device, packs);
    addSpanEvents(parcels, 'packed');
    const writes = await slicer.run(this.#startWrites(device, packs, originsOf(parcels)));
    const refused = (await Promise.all(writes)).flat();
    addSpanEvents(parcels, 'stored');
    return refused;
  }

  /**
   * Raises the block span of the device before a block is written: with a smaller span a reader would not find the
   * block. If the table rejects the span of all blocks together, each block tries its own.
   */
  async #raiseBlockSpan(
    device: KnownDevice,
    packs: readonly (readonly Reading[])[],
  ): Promise<void> {
    let blockSpan = 0;
    for (const pack of packs) {
      device.oldestWritten = Math.min(device.oldestWritten, pack[0]?.time ?? Infinity);
      blockSpan = Math.max(blockSpan, blockSpanOf(pack));
    }
    try {
      await this.#options.devices.raiseBlockSpan(device, blockSpan);
    } catch (error) {
      if (!(error instanceof ItemRejected)) throw error;
    }
  }

  /**
   * Passes the blocks to the writer, a full batch of them in a step; large blocks take a step each. Blocks that are
   * spread over turns of the event loop would be written in several batches.
   */
  *#startWrites(
    device: KnownDevice,
    packs: readonly (readonly Reading[])[],
    origins: readonly SpanContext[] | undefined,
  ): SlicedWork<Promise<RefusedReading[]>[]> {
    const writes: Promise<RefusedReading[]>[] = [];
    let cost = 0;
    for (const pack of packs) {
      const write = this.#writeBlock(device, pack, origins);
      write.catch(() => undefined); // it may reject before all writes have started, and nothing awaits it until then
      writes.push(write);
      for (const { fields } of pack) cost += 2 + 4 * Object.keys(fields).length;
      if (writes.length % maxBatchWriteItems !== 0 && cost < maxStepCost) continue;
      yield cost;
      cost = 0;
    }
    return writes;
  }

  /** Not an async function: its frame would hold the block until it is stored, in addition to the block's readings. */
  #writeBlock(
    device: KnownDevice,
    pack: readonly Reading[],
    origins: readonly SpanContext[] | undefined,
  ): Promise<RefusedReading[]> {
    const blockSpan = blockSpanOf(pack);
    const put = () => this.#options.writer.put(this.#item(device, pack), { origins });
    // Blocks of one reading have the span 0.
    const isPrepared = blockSpan <= device.blockSpan;
    const stored = isPrepared
      ? put()
      : this.#options.devices.raiseBlockSpan(device, blockSpan).then(put);
    return stored.then(
      () => {
        this.#options.metrics.blockStored(device.kind, pack.length);
        return [];
      },
      (error: unknown) => {
        if (!(error instanceof ItemRejected)) throw error;
        return this.#bisect(pack, error.message, (half) => this.#writeBlock(device, half, origins));
      },
    );
  }

  /** Bisects a block that the table rejects, so that the other readings of the block are stored. */
  async #bisect(
    pack: readonly Reading[],
    detail: string,
    write: (half: readonly Reading[]) => Promise<RefusedReading[]>,
  ): Promise<RefusedReading[]> {
    if (pack.length === 1) return pack.map((reading) => ({ reading, detail }));
    const halves = [pack.slice(0, pack.length / 2), pack.slice(pack.length / 2)];
    return (await Promise.all(halves.map(write))).flat();
  }

  #item(device: KnownDevice, readings: readonly Reading[]): BlockItem {
    const retentionSeconds = this.#options.retentionSeconds(device.kind);
    const newest = readings.at(-1)?.time ?? 0;
    return blockItem({
      device: device.id,
      readings,
      shards: shardsFor(device, newest),
      ...(retentionSeconds === undefined
        ? {}
        : { ttl: Math.ceil(newest / 1000) + retentionSeconds }),
    });
  }
}

function addSpanEvents(parcels: readonly Parcel[], step: 'packed' | 'stored'): void {
  for (const { traceSpan } of parcels) addSpanEvent(traceSpan, step);
}
