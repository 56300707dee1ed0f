import { parseDevice } from '@engawa/model';
import type { Device, Document } from '@engawa/model';

/** A device as it was when it was last read or written here. */
export interface CachedDevice {
  device: Device;
  /** When it came to the place where it is, whatever room it was in since (epoch milliseconds). */
  arrivedAt?: number | undefined;
}

/** At a kilobyte each: some megabytes. Labels and metadata can make it 7 KB each. */
const mostKnown = 5000;

/**
 * What this replica last saw of devices: guesses, on which a write may be conditional, so that a right one saves the
 * request that would have asked before. Nothing else may rest on them.
 */
export class DeviceCache {
  /** The one that was not needed for longest comes first. */
  readonly #known = new Map<string, CachedDevice>();

  get(id: string): CachedDevice | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) this.note(known);
    return known;
  }

  note(known: CachedDevice): void {
    const { id } = known.device;
    this.#known.delete(id);
    this.#known.set(id, known);
    if (this.#known.size <= mostKnown) return;
    const [oldest = ''] = this.#known.keys();
    this.#known.delete(oldest);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}

/** @throws TypeError when the item is not a device */
export function knownOf(item: Document): CachedDevice {
  const device = parseDevice(item);
  const { arrivedAt } = item;
  if (device.place === undefined) return { device };
  return { device, arrivedAt: arrivedAt === undefined ? device.since : Number(arrivedAt) };
}
