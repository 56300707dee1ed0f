import type { Device } from '@engawa/model';

export interface DeviceCacheOptions {
  load: (id: string) => Promise<Device>;
  /** Milliseconds for which a device is believed to be as it was. */
  lifetimeMs: number;
  /** Devices kept at most. */
  capacity: number;
  /** Milliseconds on a clock that never goes back. */
  now: () => number;
}

interface Entry {
  device: Promise<Device>;
  loadedAt: number;
}

/** Keeps devices for a short while. Those who ask for one at the same time share one load; a failed one is not kept. */
export class DeviceCache {
  readonly #options: DeviceCacheOptions;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: DeviceCacheOptions) {
    this.#options = options;
  }

  get(id: string): Promise<Device> {
    const { lifetimeMs, now } = this.#options;
    const known = this.#entries.get(id);
    if (known !== undefined && now() - known.loadedAt < lifetimeMs) return known.device;
    return this.#load(id);
  }

  /** The next who asks for it has it loaded anew. */
  forget(id: string): void {
    this.#entries.delete(id);
  }

  #load(id: string): Promise<Device> {
    const { load, capacity, now } = this.#options;
    const entry = { device: load(id), loadedAt: now() };
    entry.device.catch(() => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
    });
    this.#entries.delete(id); // or it would keep its old place in the order
    this.#entries.set(id, entry);
    if (this.#entries.size > capacity) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return entry.device;
  }
}
