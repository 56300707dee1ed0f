import { blockItem, packReadings, spanOf } from '@engawa/model';
import { ItemRefused, WriterClosed } from '@engawa/table';
import { shardsFor } from './device-shards.ts';
import type { BlockItem, DeviceKind, Reading } from '@engawa/model';
import type { BatchWriter } from '@engawa/table';
import type { DeviceRegister, KnownDevice } from './device-register.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { Parcel } from './parking/parcel.ts';
import type { PlacementEvents } from './placement-events.ts';
import type { RollupInvalidation } from './rollup-invalidation.ts';

export interface ReadingStoreOptions {
  writer: BatchWriter;
  devices: DeviceRegister;
  rollups: RollupInvalidation;
  placements: PlacementEvents;
  metrics: IngestionMetrics;
  /** Seconds that the readings of a kind of device are kept; undefined for ever. */
  retention: (kind: DeviceKind) => number | undefined;
}

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
    const packs = packReadings(device.id, readings, { shards: shardsFor(device, Infinity) });
    const refused = (await Promise.all(packs.map((pack) => this.#write(device, pack)))).flat();
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

  async #write(device: KnownDevice, pack: readonly Reading[]): Promise<Refused[]> {
    device.oldestWritten = Math.min(device.oldestWritten, pack[0]?.time ?? Infinity);
    try {
      // Before the block is there, or a reader could look past it. Where that is refused, single readings need no span.
      await this.#options.devices.raiseSpan(device, spanOf(pack));
      await this.#options.writer.put(this.#item(device, pack));
    } catch (error) {
      if (!(error instanceof ItemRefused)) throw error;
      return this.#bisect(device, pack, error.message);
    }
    this.#options.metrics.blockStored(device.kind, pack.length);
    return [];
  }

  /** One reading that the table refuses must not take those beside it along. */
  async #bisect(device: KnownDevice, pack: readonly Reading[], detail: string): Promise<Refused[]> {
    if (pack.length === 1) return pack.map((reading) => ({ reading, detail }));
    const halves = [pack.slice(0, pack.length / 2), pack.slice(pack.length / 2)];
    return (await Promise.all(halves.map((half) => this.#write(device, half)))).flat();
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

function refuseOwn(parcel: Parcel, refused: readonly Refused[]): void {
  const own = refused.filter(({ reading }) => parcel.readings.includes(reading));
  const [first] = own;
  if (first === undefined) return;
  parcel.refuse(
    own.map(({ reading }) => reading),
    first.detail,
  );
}
