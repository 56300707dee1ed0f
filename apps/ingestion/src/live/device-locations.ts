import { invariant } from '@engawa/errors';
import { deviceKey } from '@engawa/keys';
import { keyOf, parseDevice, unlessDeleted } from '@engawa/model';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';

/** Where a visible device is. */
export interface DeviceLocation {
  place: string | undefined;
  room: string | undefined;
  /** Epoch milliseconds from which the device is there. */
  since: number;
}

/** Undefined for a device whose readings are hidden: it is pending, or there is no such device. */
export type VisibleLocation = DeviceLocation | undefined;

interface CachedLocation {
  location: VisibleLocation;
  /** Monotonic milliseconds before the read. */
  readAt: number;
}

export interface DeviceLocationsOptions {
  table: Pick<Table, 'getAll'>;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** Maximum age of a cached location, as in the query service: a device is seen to have moved this much later. */
const lifetimeMs = 5000;
const maxEntries = 20_000;

/**
 * Where devices are, from their items. Only devices that send readings are read: half a read unit per device and five
 * seconds, for readings that took at least one write unit.
 */
export class DeviceLocations {
  readonly #options: DeviceLocationsOptions;
  /** The longest known first. */
  readonly #known = new Map<string, CachedLocation>();

  constructor(options: DeviceLocationsOptions) {
    this.#options = options;
  }

  /** @returns the locations; a promise if some have to be read, which rejects with a Problem */
  of(devices: ReadonlySet<string>): LocationsOfDevices | Promise<LocationsOfDevices> {
    const now = this.#options.now();
    const found = new Map<string, VisibleLocation>();
    const unknown: string[] = [];
    for (const device of devices) {
      const known = this.#known.get(device);
      if (known !== undefined && now - known.readAt < lifetimeMs) found.set(device, known.location);
      else unknown.push(device);
    }
    return unknown.length === 0 ? found : this.#read(unknown, found, now);
  }

  async #read(
    devices: readonly string[],
    found: Map<string, VisibleLocation>,
    readAt: number,
  ): Promise<LocationsOfDevices> {
    const items = await this.#items(devices, false);
    const missing = devices.filter((device) => !items.has(device));
    // A device that was registered a moment ago may be missing in an eventually consistent read.
    const more = missing.length === 0 ? undefined : await this.#items(missing, true);
    for (const device of devices) {
      const item = items.get(device) ?? more?.get(device);
      const location = item && visibleLocation(item);
      found.set(device, location);
      this.#remember(device, { location, readAt });
    }
    return found;
  }

  async #items(devices: readonly string[], consistent: boolean): Promise<Map<string, Document>> {
    const keys = devices.map((device) => deviceKey(device));
    const ids = new Map(devices.map((device) => [deviceKey(device).pk, device]));
    const { items } = await this.#options.table.getAll(keys, { consistent });
    const found = 'a batch returns the items of its keys';
    return new Map(items.map((item) => [invariant(ids.get(keyOf(item).pk), found), item]));
  }

  #remember(device: string, cached: CachedLocation): void {
    this.#known.delete(device);
    this.#known.set(device, cached);
    if (this.#known.size <= maxEntries) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}

export type LocationsOfDevices = ReadonlyMap<string, VisibleLocation>;

function visibleLocation(item: Document): VisibleLocation {
  const existing = unlessDeleted(item);
  if (existing === undefined) return undefined;
  const { status, place, room, since = -Infinity } = parseDevice(existing);
  return status === 'pending' ? undefined : { place, room, since };
}
