import { parseDevice } from '@engawa/model';
import { LRUCache } from 'lru-cache';
import type { Device, Document } from '@engawa/model';

/** A device as this replica last read or wrote it. */
export interface CachedDevice {
  device: Device;
  /** When the device came to its place, in any room of it (epoch milliseconds). */
  arrivedAt?: number | undefined;
}

/** Some megabytes at a kilobyte each; labels and metadata can make a device 7 KB. */
const maxDevices = 5000;

/**
 * Devices as this replica last saw them. A write may be conditional on an entry, which saves the
 * read before it; a stale entry fails the condition. Use it for nothing else.
 */
export class DeviceCache {
  readonly #devices = new LRUCache<string, CachedDevice>({ max: maxDevices });

  get(id: string): CachedDevice | undefined {
    return this.#devices.get(id);
  }

  note(cached: CachedDevice): void {
    this.#devices.set(cached.device.id, cached);
  }

  forget(id: string): void {
    this.#devices.delete(id);
  }
}

/** @throws TypeError where the item is not a device */
export function cachedDeviceOf(item: Document): CachedDevice {
  const device = parseDevice(item);
  const { arrivedAt } = item;
  if (device.place === undefined) return { device };
  return { device, arrivedAt: arrivedAt === undefined ? device.since : Number(arrivedAt) };
}
