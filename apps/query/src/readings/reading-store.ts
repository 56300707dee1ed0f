import { continuedAt, correctionsOfPage, knownSlices } from './corrected-slices.ts';
import { periodsFromPosition, readPage, slicesOf } from './read-page.ts';
import type { RequestBudget } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { DeviceStore } from '../devices/device-store.ts';
import type { DevicePeriod } from '../memberships/membership-store.ts';
import type { PageRequest, ReadingPage } from './merge-blocks.ts';

export interface ReadingsRequest extends PageRequest {
  /** The devices and the times to read; periods of one device do not overlap. */
  periods: readonly DevicePeriod[];
  /** Whether readings are those of aggregates, without ignored ones; by default those that clients see. */
  isCounted?: boolean;
  budget: Pick<RequestBudget, 'charge' | 'isSpent' | 'maxValues'>;
  signal: AbortSignal;
}

/** Pages of readings over a range of time. */
export class ReadingStore {
  readonly #table: Pick<Table, 'query'>;
  readonly #devices: DeviceStore;

  constructor(table: Pick<Table, 'query'>, devices: DeviceStore) {
    this.#table = table;
    this.#devices = devices;
  }

  /**
   * One Query per device and shard, where the estimate of blocks per page was right. A page ends earlier where a device
   * has more corrections than one page reads.
   */
  async page({
    periods,
    isCounted = false,
    budget,
    signal,
    ...request
  }: ReadingsRequest): Promise<ReadingPage> {
    const found = await slicesOf(periodsFromPosition(request, periods), async (id, own) => {
      const device = await this.#devices.find(id, budget);
      if (device === undefined) return undefined;
      const asked = correctionsOfPage(request, own);
      const corrections = await this.#devices.correctionsOf(device, asked, budget);
      const { counted, shown, known } = corrections;
      return { device, overlay: isCounted ? counted : shown, known };
    });
    const { slices, next } = knownSlices(request, found);
    const page = await readPage({
      table: this.#table,
      request,
      slices,
      onLongerBlock: (id) => this.#devices.forget(id),
      budget,
      signal,
      now: Date.now(),
    });
    return continuedAt(page, next);
  }
}
