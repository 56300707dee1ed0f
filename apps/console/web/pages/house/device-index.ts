import { api } from '../../api/client.ts';
import type { registry } from '@engawa/client';

export type ListedDevice = registry.ListDevicesOutput['items'][number];

/** The largest page, for the whole list. */
const wholeLimit = 1000;
/** In a minute, an hourly update reaches 83 of 5,000 devices. */
const changesLimit = 100;
/** Milliseconds between reads of the whole list, which finds devices that were deleted, or placed but silent. */
const wholeEveryMs = 900_000;
/** Milliseconds by which two reads overlap: the list is an eventually consistent index. */
const overlapMs = 60_000;

/**
 * All devices, in memory: the whole list once, then its changes. `lastSeenAt` changes once an hour, so the changes of a
 * minute are the first devices in the order of `-lastSeen`.
 */
export class DeviceIndex {
  #devices = new Map<string, ListedDevice>();
  #newest = '';
  #wholeAt = -Infinity;
  readonly #onRest: () => void;

  /** @param onRest called when the rest of a long list has arrived */
  constructor(onRest: () => void) {
    this.#onRest = onRest;
  }

  get all(): ListedDevice[] {
    return [...this.#devices.values()];
  }

  /** Whether the whole list has been read: a count of devices is exact. */
  get isComplete(): boolean {
    return this.#wholeAt > -Infinity;
  }

  get(id: string): ListedDevice | undefined {
    return this.#devices.get(id);
  }

  /** Applies a change of a device that the user made or another list showed. */
  update(id: string, changes: Partial<ListedDevice>): void {
    const known = this.#devices.get(id);
    if (known !== undefined) this.#devices.set(id, { ...known, ...changes });
  }

  /** Reads the list, or its changes since the last call. @throws ProblemError, TypeError as of a request */
  async refresh(): Promise<void> {
    if (performance.now() - this.#wholeAt < wholeEveryMs) await this.#readChanges();
    else await this.#readWhole();
  }

  /** Resolves with the first page; the rest of a long list follows in the background. */
  async #readWhole(): Promise<void> {
    const startedAt = performance.now();
    const found = new Map<string, ListedDevice>();
    let cursor = await this.#readPage(found, wholeLimit);
    const finish = (): void => {
      this.#devices = found;
      this.#wholeAt = startedAt;
    };
    if (cursor === undefined) {
      finish();
      return;
    }
    if (this.#devices.size === 0) this.#devices = new Map(found);
    const readRest = async (): Promise<void> => {
      while (cursor !== undefined) cursor = await this.#readPage(found, wholeLimit, cursor);
      finish();
      this.#onRest();
    };
    readRest().catch(() => undefined); // the next refresh reads the whole list again
  }

  async #readChanges(): Promise<void> {
    const since = new Date(Date.parse(this.#newest || '1970-01-01') - overlapMs).toISOString();
    let cursor: string | undefined;
    let oldest: string;
    do {
      const page = new Map<string, ListedDevice>();
      cursor = await this.#readPage(page, changesLimit, cursor);
      oldest = [...page.values()].at(-1)?.lastSeenAt ?? '';
      for (const [id, device] of page) this.#devices.set(id, device);
    } while (cursor !== undefined && oldest >= since);
  }

  async #readPage(
    into: Map<string, ListedDevice>,
    limit: number,
    after?: string,
  ): Promise<string | undefined> {
    const { body } = await api.registry.listDevices({ order: '-lastSeen', limit, cursor: after });
    for (const device of body.items) {
      into.set(device.id, device);
      if ((device.lastSeenAt ?? '') > this.#newest) this.#newest = device.lastSeenAt ?? '';
    }
    return body.cursor;
  }
}
