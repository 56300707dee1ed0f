import { lastReceiptOf, lastSentAt, readingsOf } from './parcel.ts';
import type { DeviceKind } from '@engawa/model';
import type { PlacementEvents } from '../devices/bookkeeping/placement-events.ts';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { Parcel } from './parcel.ts';
import type { RollupInvalidation } from './rollup-invalidation.ts';

export interface ProjectionsOptions {
  devices: Pick<DeviceRegister, 'seen' | 'refineKind'>;
  rollups: RollupInvalidation;
  placements: Pick<PlacementEvents, 'show'>;
  /** Seconds for which readings of a kind of device are kept; undefined: without a limit. */
  retentionSeconds: (kind: DeviceKind) => number | undefined;
}

/** Updates data derived from readings: rollups, last seen, the kind of a device, the last event of a placement. */
export class Projections {
  readonly #options: ProjectionsOptions;

  constructor(options: ProjectionsOptions) {
    this.#options = options;
  }

  /**
   * To be called when the readings are durable: a client that reads because of a projection must find them. The
   * acknowledgement waits only for the invalidation of rollups, which are in the partition of the blocks
   * (docs/adr/0033); the rest runs in the background.
   * @returns undefined where no rollup has to be invalidated
   */
  project(device: KnownDevice, parcels: readonly Parcel[]): Promise<void> | undefined {
    const { devices, rollups, placements, retentionSeconds } = this.#options;
    const readings = readingsOf(parcels);
    const current = readings.some(({ isHistorical }) => isHistorical === true)
      ? readings.filter(({ isHistorical }) => isHistorical !== true)
      : readings;
    const sentAt = lastSentAt(parcels);
    if (sentAt !== undefined) devices.seen(device, sentAt);
    devices.refineKind(device, readings);
    placements.show(device, current, lastReceiptOf(parcels));
    return rollups.invalidate(device.id, readings, retentionSeconds(device.kind));
  }
}
