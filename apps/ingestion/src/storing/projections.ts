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
   */
  async project(device: KnownDevice, parcels: readonly Parcel[]): Promise<void> {
    const { devices, rollups, placements, retentionSeconds } = this.#options;
    const readings = parcels.flatMap((parcel) => parcel.readings);
    const times = readings.map(({ time }) => time);
    const current = readings.filter(({ isHistorical }) => isHistorical !== true);
    // No Math.max(...times): a message may hold more readings than a call takes arguments.
    const latest = current.reduce((newest, { time }) => Math.max(newest, time), -Infinity);
    if (current.length > 0) devices.seen(device, latest);
    devices.refineKind(device, readings);
    placements.show(device, current);
    await rollups.invalidate(device.id, times, retentionSeconds(device.kind));
  }
}
