import { blockItem, packingSteps, spanOf } from '@engawa/model';
import { maxBatchWriteItems, ItemRejected, WriterClosed } from '@engawa/table';
import { shardsFor } from './device-shards.ts';
import { markSpan } from '../intake/message-tracer.ts';
import { originsOf } from './parcel.ts';
import type { BlockItem, DeviceKind, Reading, Steps } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';
import type { SpanContext } from '@opentelemetry/api';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { Parcel } from './parcel.ts';
import type { PlacementEvents } from '../devices/bookkeeping/placement-events.ts';
import type { RollupInvalidation } from './rollup-invalidation.ts';
import type { WorkSlicer } from '../concurrency/work-slicer.ts';

export interface ReadingStoreOptions {
  writer: BatchWriter;
  devices: DeviceRegister;
  rollups: RollupInvalidation;
  placements: PlacementEvents;
  metrics: IngestionMetrics;
  /** Does what is too much for one turn of the event loop. */
  slicer: WorkSlicer;
  /** Seconds that the readings of a kind of device are kept; undefined for ever. */
  retention: (kind: DeviceKind) => number | undefined;
}

/** Fields that are looked at in one step, where 25 small blocks would take less. */
const maxStepCost = 20_000;

interface Refused {
  reading: Reading;
  detail: string;
}

/** Writes readings as blocks, and what follows from them: rollups that are wrong now, a place's last event, last seen. */
export class ReadingStore {
  readonly #options: ReadingStoreOptions;

  constructor(options: ReadingStoreOptions) {
    this.#options = options;
  }

  /**
   * Settles each parcel once its readings are durable; readings that the table refuses are handed back to their parcel. Where the
   * process ends first, the parcels fail. Never rejects.
   */
  async store(device: KnownDevice, parcels: readonly Parcel[]): Promise<void> {
    try {
      await this.#store(device, parcels);
    } catch (error) {
      if (parcels.length === 1 || error instanceof WriterClosed) {
        for (const parcel of parcels) parcel.fail(error);
        return;
      }
      // Parcels that share a block with a reading that cannot be stored are stored without it.
      for (const parcel of parcels) await this.store(device, [parcel]);
    }
  }

  async #store(device: KnownDevice, parcels: readonly Parcel[]): Promise<void> {
    const readings = parcels.flatMap((parcel) => parcel.readings);
    const { slicer } = this.#options;
    const shards = shardsFor(device, Infinity);
    const packs = await slicer.run(packingSteps(device.id, readings, { shards }));
    await this.#prepare(device, packs);
    markSpans(parcels, 'packed');
    const writes = await slicer.run(this.#startWrites(device, packs, originsOf(parcels)));
    const refused = (await Promise.all(writes)).flat();
    markSpans(parcels, 'stored');
    await this.#follow(device, readings);
    for (const parcel of parcels) {
      refuseOwn(parcel, refused);
      parcel.settle();
    }
  }

  /**
   * Only when the readings are durable: a reader that looks because of it must find them. Nothing but the invalidation of
   * rollups, which are in the partition of the blocks, delays the acknowledgement (docs/adr/0033).
   */
  async #follow(device: KnownDevice, readings: readonly Reading[]): Promise<void> {
    const { devices, rollups, placements, retention } = this.#options;
    const times = readings.map(({ time }) => time);
    const current = readings.filter(({ isHistorical }) => isHistorical !== true);
    // Not as arguments: a message may hold more readings than a call takes.
    const latest = current.reduce((newest, { time }) => Math.max(newest, time), -Infinity);
    if (current.length > 0) devices.seen(device, latest);
    devices.refineKind(device, readings);
    placements.show(device, current);
    await rollups.invalidate(device.id, times, retention(device.kind));
  }

  /** Before a block is there, or a reader could look past it. Where one span for all is refused, each block tries its own. */
  async #prepare(device: KnownDevice, packs: readonly (readonly Reading[])[]): Promise<void> {
    let span = 0;
    for (const pack of packs) {
      device.oldestWritten = Math.min(device.oldestWritten, pack[0]?.time ?? Infinity);
      span = Math.max(span, spanOf(pack));
    }
    try {
      await this.#options.devices.raiseSpan(device, span);
    } catch (error) {
      if (!(error instanceof ItemRejected)) throw error;
    }
  }

  /** Hands blocks to the writer, a whole batch of them in a step, unless they are large: spread over turns, a batch would be several. */
  *#startWrites(
    device: KnownDevice,
    packs: readonly (readonly Reading[])[],
    origins: readonly SpanContext[] | undefined,
  ): Steps<Promise<Refused[]>[]> {
    const writes: Promise<Refused[]>[] = [];
    let cost = 0;
    for (const pack of packs) {
      const write = this.#write(device, pack, origins);
      write.catch(() => undefined); // it may fail before all are begun, and only then they are waited for
      writes.push(write);
      for (const { fields } of pack) cost += 2 + 4 * Object.keys(fields).length;
      if (writes.length % maxBatchWriteItems !== 0 && cost < maxStepCost) continue;
      yield cost;
      cost = 0;
    }
    return writes;
  }

  /** No async function, which would keep the block, made of readings that are kept anyway, until it is stored. */
  #write(
    device: KnownDevice,
    pack: readonly Reading[],
    origins: readonly SpanContext[] | undefined,
  ): Promise<Refused[]> {
    const span = spanOf(pack);
    const put = () => this.#options.writer.put(this.#item(device, pack), { origins });
    // Single readings need no span.
    const isPrepared = span <= device.span;
    const stored = isPrepared ? put() : this.#options.devices.raiseSpan(device, span).then(put);
    return stored.then(
      () => {
        this.#options.metrics.blockStored(device.kind, pack.length);
        return [];
      },
      (error: unknown) => {
        if (!(error instanceof ItemRejected)) throw error;
        return this.#bisect(pack, error.message, (half) => this.#write(device, half, origins));
      },
    );
  }

  /** One reading that the table refuses must not take those beside it along. */
  async #bisect(
    pack: readonly Reading[],
    detail: string,
    write: (half: readonly Reading[]) => Promise<Refused[]>,
  ): Promise<Refused[]> {
    if (pack.length === 1) return pack.map((reading) => ({ reading, detail }));
    const halves = [pack.slice(0, pack.length / 2), pack.slice(pack.length / 2)];
    return (await Promise.all(halves.map(write))).flat();
  }

  #item(device: KnownDevice, readings: readonly Reading[]): BlockItem {
    const retention = this.#options.retention(device.kind);
    const newest = readings.at(-1)?.time ?? 0;
    return blockItem({
      device: device.id,
      readings,
      shards: shardsFor(device, newest),
      ...(retention === undefined ? {} : { ttl: Math.ceil(newest / 1000) + retention }),
    });
  }
}

function markSpans(parcels: readonly Parcel[], step: 'packed' | 'stored'): void {
  for (const { span } of parcels) markSpan(span, step);
}

function refuseOwn(parcel: Parcel, refused: readonly Refused[]): void {
  if (refused.length === 0) return;
  const readings = new Set(parcel.readings);
  const own = refused.filter(({ reading }) => readings.has(reading));
  const [first] = own;
  if (first === undefined) return;
  parcel.refuse(
    own.map(({ reading }) => reading),
    first.detail,
  );
}
