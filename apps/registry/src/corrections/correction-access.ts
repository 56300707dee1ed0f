import { appliedRanges } from '@engawa/model';
import { allowedDevice, retryChange } from '../devices/allowed-device.ts';
import { allowedStays } from '../placements/allowed-stays.ts';
import { showCorrection } from './correction-schemas.ts';
import type { RequestBudget, Places } from '@engawa/http';
import type { Correction } from '@engawa/model';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface CorrectionAccessOptions {
  devices: DeviceStore;
  placements: PlacementStore;
}

export interface CorrectionCaller {
  places: Places;
  budget: RequestBudget;
  signal: AbortSignal;
}

/** Whether the client may read and undo a correction. */
export type IsOwn = (correction: Correction) => boolean;

/**
 * Which corrections a client may read and undo: all; or, for a client restricted to places, those that apply only to
 * times in which the device was at one of them, for which its history is read.
 * @throws Problem `device-not-found`, `too-many-conflicts`
 */
export async function correctionAccess(
  { devices, placements }: CorrectionAccessOptions,
  id: string,
  { places, budget, signal }: CorrectionCaller,
): Promise<IsOwn> {
  if (!places.isRestricted) return () => true;
  return retryChange(id, undefined, async () => {
    const found = await devices.read(id, signal);
    const device = allowedDevice(found.device, places);
    const { times } = await allowedStays({ placements, device: found, places, budget, signal });
    return (correction) => {
      const ranges = appliedRanges(correction, device.corrections);
      const isAllowed = ({ from, to }: { from: number; to: number }) =>
        times.some((time) => time.from <= from && to <= time.to);
      return ranges.length > 0 && ranges.every(isAllowed);
    };
  });
}

/** A correction as clients see it: a GetItem of the device where moves may have cut the correction. */
export async function shownCorrection(devices: Pick<DeviceStore, 'read'>, correction: Correction) {
  if (correction.within === undefined) return showCorrection(correction);
  const { device } = await devices.read(correction.device);
  return showCorrection(correction, device.corrections);
}
