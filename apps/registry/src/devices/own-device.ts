import { deviceNotFound } from '../placements/contest.ts';
import type { Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { DeviceStore } from './device-store.ts';

/** The device, unless it is where the caller may not look. @throws Problem `device-not-found` */
export function ownDevice(device: Device, places: Places): Device {
  if (!places.allows(device.place)) throw deviceNotFound(device.id);
  return device;
}

/**
 * For a caller who is restricted to places, one GetItem; for others, nothing.
 * @throws Problem `device-not-found` where the device is at none of the places, or not there at all
 */
export async function expectOwnDevice(
  devices: Pick<DeviceStore, 'get'>,
  id: string,
  places: Places,
): Promise<void> {
  if (places.isRestricted) ownDevice(await devices.get(id), places);
}
