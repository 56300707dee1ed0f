import { api } from '../../api/client.ts';
import type { registry } from '@engawa/client';

export type ListedDevice = registry.ListDevicesOutput['items'][number];

/** The largest page, for the whole list. */
const wholeLimit = 1000;
/** In a minute, an hourly update reaches 83 of 5,000 devices. */
const changesLimit = 100;
/** Devices of which the whole list is read a minute; a longer list is read less often, and its changes in between. */
const devicesPerMinute = 5000;
const minuteMs = 60_000;
/** Milliseconds by which two reads overlap: the list is an eventually consistent index. */
const overlapMs = 60_000;
/** Milliseconds after a change for which the list may still have the old state. */
const indexDelayMs = 5000;

interface OwnChange {
  at: number;
  changes: Partial<ListedDevice>;
}

/**
 * All devices, in memory. The whole list shows which devices were created, renamed, moved, approved or deleted.
 * It costs 39 read units per 1,000 devices without metadata; the list by name costs 28, and has no places or times.
 */
export class DeviceIndex {
  #devices = new Map<string, ListedDevice>();
  readonly #own = new Map<string, OwnChange>();
  #newest = '';
  #wholeAt = -Infinity;
  #rest: Promise<void> | undefined;
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

  /** Applies a change of a device that the user made or a consistent read showed, before the list has it. */
  update(id: string, changes: Partial<ListedDevice>): void {
    const known = this.#devices.get(id);
    if (known === undefined) return;
    this.#devices.set(id, { ...known, ...changes });
    const before = this.#own.get(id)?.changes;
    this.#own.set(id, { at: performance.now(), changes: { ...before, ...changes } });
  }

  /** Reads the list, or its changes since the last call. @throws ProblemError, TypeError as of a request */
  async refresh(): Promise<void> {
    const isLong = this.#devices.size > devicesPerMinute;
    const everyMs = (this.#devices.size / devicesPerMinute) * minuteMs;
    if (this.#rest !== undefined || (isLong && performance.now() - this.#wholeAt < everyMs)) {
      await this.#readChanges();
    } else await this.#readWhole();
  }

  /** The first time, resolves with the first page; the rest of a long list follows in the background. */
  async #readWhole(): Promise<void> {
    const startedAt = performance.now();
    const found = new Map<string, ListedDevice>();
    const cursor = await this.#readPage(found, { order: 'lastSeen', limit: wholeLimit });
    if (cursor === undefined) {
      this.#replace(found, startedAt);
      return;
    }
    const isFirst = this.#devices.size === 0;
    if (isFirst) this.#devices = new Map(found);
    const rest = this.#readRest(found, cursor).then(() => this.#replace(found, startedAt));
    this.#rest = rest
      .then(this.#onRest, () => undefined) // the next refresh reads the whole list again
      .finally(() => (this.#rest = undefined));
    if (!isFirst) await rest;
  }

  /**
   * Longest silent first: a device that sends during the read moves to the end, and is read again. In the other order
   * it would move to the pages that have been read, and be missing.
   */
  async #readRest(found: Map<string, ListedDevice>, first: string): Promise<void> {
    let cursor: string | undefined = first;
    while (cursor !== undefined) {
      cursor = await this.#readPage(found, { order: 'lastSeen', limit: wholeLimit, cursor });
    }
  }

  #replace(found: Map<string, ListedDevice>, startedAt: number): void {
    for (const [id, { at, changes }] of this.#own) {
      const listed = found.get(id);
      if (startedAt > at + indexDelayMs) this.#own.delete(id);
      else if (listed !== undefined) found.set(id, { ...listed, ...changes });
    }
    this.#devices = found;
    this.#wholeAt = startedAt;
  }

  /** `lastSeenAt` changes once an hour, so the changes of a minute are first in the order of `-lastSeen`. */
  async #readChanges(): Promise<void> {
    const since = new Date(Date.parse(this.#newest || '1970-01-01') - overlapMs).toISOString();
    let cursor: string | undefined;
    let oldest: string;
    do {
      const page = new Map<string, ListedDevice>();
      cursor = await this.#readPage(page, { order: '-lastSeen', limit: changesLimit, cursor });
      oldest = [...page.values()].at(-1)?.lastSeenAt ?? '';
      for (const [id, device] of page) this.#devices.set(id, device);
    } while (cursor !== undefined && oldest >= since);
  }

  async #readPage(
    into: Map<string, ListedDevice>,
    input: registry.ListDevicesInput,
  ): Promise<string | undefined> {
    const { body } = await api.registry.listDevices(input);
    for (const device of body.items) {
      into.set(device.id, device);
      if ((device.lastSeenAt ?? '') > this.#newest) this.#newest = device.lastSeenAt ?? '';
    }
    return body.cursor;
  }
}
