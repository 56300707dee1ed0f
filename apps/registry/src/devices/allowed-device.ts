import { deviceNotFound } from '../problems.ts';
import type { Places } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { DeviceStore } from './device-store.ts';

/** Rejects a device at a place that the client may not see. @throws Problem `device-not-found` */
export function allowedDevice(device: Device, places: Places): Device {
  if (!places.allows(device.place)) throw deviceNotFound(device.id);
  return device;
}

/**
 * One GetItem for a client that is restricted to places, else no request.
 * @throws Problem `device-not-found` where the device does not exist, or is at none of the places
 */
export async function expectAllowedDevice(
  devices: Pick<DeviceStore, 'get'>,
  id: string,
  places: Places,
): Promise<void> {
  if (places.isRestricted) allowedDevice(await devices.get(id), places);
}
