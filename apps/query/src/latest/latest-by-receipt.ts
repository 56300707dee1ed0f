import { compareLatest, effectiveTime, seenIntervalMs, tolerableAheadMs } from '@engawa/model';
import { identityWas } from '../corrections/overlay.ts';
import type { Device, Reading } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';

/** Readings of a range of time, in any order. */
export interface RangePage {
  readings: readonly Reading[];
  /** Readings of the range that are earlier may be missing; absent if there are none. In epoch milliseconds. */
  next?: { time: number };
}

export interface LatestByReceiptOptions {
  device: Pick<Device, 'clockAhead' | 'lastSeenAt'>;
  /** The readings with the latest times, newest first. */
  readings: Reading[];
  /** Number of requested readings; there are fewer if there are no others, or none were read. */
  limit: number;
  /** The newest readings of the device in a range of time, at least `limit` if there are so many. */
  pageOf: (range: TimeRange & { limit: number }) => Promise<RangePage>;
  budget: { readonly isSpent: boolean };
  /** Epoch milliseconds. */
  now: number;
}

/** Readings beyond the requested ones: of the first page of a search, and of its second one. */
const fewReadings = 10;
const moreReadings = 100;

/** By how much a reading with a right time may be ahead of `now`: tolerance, and the clock of another process. */
const toleranceMs = 2 * tolerableAheadMs;

/**
 * The latest readings, where a reading ahead of its receipt counts as one of the time of its receipt. If the readings
 * with the latest times are ahead, others that were received later may have earlier times. Three searches find these:
 * below the known readings, where the times of the last noted wrong clock are, and where those of a right clock are.
 * They take up to five pages, so that the price is known (docs/adr/0097).
 */
export async function latestByReceipt(options: LatestByReceiptOptions): Promise<Reading[]> {
  const { device, readings, limit, budget } = options;
  if (!readings.some(({ receivedAt }) => receivedAt !== undefined)) return readings;
  const search = new LatestSearch(options);
  if (readings.length === limit && !budget.isSpent) {
    await search.readBelow();
    if (device.clockAhead !== undefined) await search.readReceived(device.clockAhead.ms);
    await search.readReceived(0);
  }
  return search.latest;
}

class LatestSearch {
  readonly #options: LatestByReceiptOptions;
  /** All readings from this time on are known. */
  #knownFrom: number;
  latest: Reading[];

  constructor(options: LatestByReceiptOptions) {
    const { readings } = options;
    this.#options = options;
    this.#knownFrom = (readings.at(-1)?.time ?? -Infinity) + 1;
    this.latest = readings.toSorted((left, right) => compareLatest(right, left));
  }

  /** The next readings by time. */
  async readBelow(): Promise<void> {
    const range = { from: this.#oldest, to: this.#knownFrom };
    this.#knownFrom = await this.#read(range, fewReadings);
  }

  /**
   * Readings of a clock that is ahead by this time, received after the found ones. There may be many with these times
   * of a clock that was further ahead before: from the second page on, when the device was last seen counts.
   */
  async readReceived(aheadMs: number): Promise<void> {
    const { device, budget, now } = this.#options;
    const latenessMs = aheadMs === 0 ? 0 : toleranceMs;
    const seenUntil = Math.min(now, device.lastSeenAt + seenIntervalMs);
    let to = this.#knownFrom;
    for (const [until, count] of [
      [now, fewReadings],
      [seenUntil, moreReadings],
    ] as const) {
      const from = this.#oldest + aheadMs - latenessMs;
      to = Math.min(to, until + aheadMs + toleranceMs);
      if (from >= to || budget.isSpent) return;
      to = await this.#read({ from, to }, count);
    }
  }

  /** The effective time that a reading must exceed, or have, to be among the latest ones. */
  get #oldest(): number {
    const last = this.latest.at(-1);
    return last === undefined ? -Infinity : effectiveTime(last);
  }

  /** @returns the time from which the range is read */
  async #read(range: TimeRange, count: number): Promise<number> {
    const { limit, pageOf } = this.#options;
    const page = await pageOf({ ...range, limit: limit + count });
    this.latest = newest(limit, [...this.latest, ...page.readings]);
    return page.next === undefined ? range.from : page.next.time + 1;
  }
}

/** The latest ones, each once: of equal readings the one that was received last. */
function newest(limit: number, readings: readonly Reading[]): Reading[] {
  const found = new Map<string, Reading>();
  for (const reading of readings) {
    const identity = `${reading.time} ${identityWas(reading)}`;
    const known = found.get(identity);
    if (known === undefined || compareLatest(reading, known) > 0) found.set(identity, reading);
  }
  return [...found.values()].sort((left, right) => compareLatest(right, left)).slice(0, limit);
}
