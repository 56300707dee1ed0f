import { readingPartitions } from '@engawa/model';
import type { RequestBudget } from '@engawa/http';
import type { Latest, LatestRequest, UnitBudget } from './latest-of-device.ts';

export interface HotLatestOptions {
  load: (
    request: Omit<LatestRequest, 'budget'> & { budget: UnitBudget },
  ) => Promise<Latest | undefined>;
  /**
   * The share of this process in the reads of a device's key, from 0 to 1, where the key is hot;
   * otherwise undefined.
   */
  shareOfHot: (device: string) => number | undefined;
  /** Read units per second of one partition key. */
  readLimit: number;
  /** Monotonic milliseconds. */
  now: () => number;
}

interface SharedLoad {
  answer: Promise<Latest | undefined>;
  limit: number;
  beganAt: number;
  /** Requests since `countedFrom`. */
  asked: number;
  countedFrom: number;
  /** Units that the load took of each of the device's keys; 0 until it ends. */
  unitsOfKey: number;
  /** The share of this process when sharing began: shared requests take few units, here and in other processes. */
  shareOfHot: number;
}

/** Maximum age of a shared response. */
export const sharedForMs = 1000;

/**
 * Sharing continues while the requests, unshared, would take this fraction of the limit: those of
 * this process, in proportion to its share before. Shared requests cost so little that the key
 * cools down; if sharing ended then, the key would be hot again a moment later.
 */
const keepSharingAbove = 0.5;

/** Not cancellable: several requests share the load. */
const neverAborted = new AbortController().signal;

/**
 * The latest readings of devices. For most devices each request sends its own Query. For a hot
 * device, requests share the Query of the last second, so that more clients do not mean more reads
 * of the partition key.
 */
export class HotLatest {
  readonly #options: HotLatestOptions;
  /** In the order of their beginning. */
  readonly #shared = new Map<string, SharedLoad>();

  constructor(options: HotLatestOptions) {
    this.#options = options;
  }

  async get(request: LatestRequest): Promise<Latest | undefined> {
    const shared = this.#sharedBy(request);
    if (shared === undefined) return this.#options.load(request);
    const latest = await shared.answer;
    request.signal.throwIfAborted();
    if (latest === undefined) return undefined;
    const readings = latest.readings.slice(0, request.limit);
    const isIncomplete = latest.isIncomplete && readings.length < request.limit;
    return { ...latest, readings, isIncomplete };
  }

  /** The current or a new shared load; undefined where the device is not hot. */
  #sharedBy(request: LatestRequest): SharedLoad | undefined {
    const { id, limit } = request;
    const time = this.#options.now();
    const known = this.#shared.get(id);
    if (known === undefined || time - known.beganAt >= sharedForMs) {
      const isStillWanted = known !== undefined && this.#isWanted(known, time);
      const shareOfHot = isStillWanted ? known.shareOfHot : this.#options.shareOfHot(id);
      this.#shared.delete(id);
      if (shareOfHot === undefined) return undefined;
      return this.#begin(request, { asked: 1, countedFrom: time, shareOfHot });
    }
    known.asked += 1;
    // The newest ten are among the newest hundred, not vice versa.
    return limit <= known.limit ? known : this.#begin(request, known);
  }

  /** Whether the key would be hot if each request had sent its own Query. */
  #isWanted({ asked, countedFrom, unitsOfKey, shareOfHot }: SharedLoad, time: number): boolean {
    const unitsPerSecond = (asked * unitsOfKey * 1000) / (time - countedFrom);
    return unitsPerSecond >= keepSharingAbove * shareOfHot * this.#options.readLimit;
  }

  #begin(
    request: LatestRequest,
    { asked, countedFrom, shareOfHot }: Pick<SharedLoad, 'asked' | 'countedFrom' | 'shareOfHot'>,
  ): SharedLoad {
    const { id, limit, budget } = request;
    const beganAt = this.#options.now();
    const metered = new MeteredBudget(budget.renew()); // the first request's remaining budget may be too small for the others
    const answer = this.#options.load({ id, limit, budget: metered, signal: neverAborted });
    const shared = { answer, limit, beganAt, asked, countedFrom, unitsOfKey: 0, shareOfHot };
    answer.then(
      (latest) => {
        const partitions = latest === undefined ? 1 : readingPartitions(latest.device).length;
        shared.unitsOfKey = metered.units / partitions;
        budget.charge(metered.units);
      },
      () => {
        if (this.#shared.get(id) === shared) this.#shared.delete(id);
      },
    );
    this.#keep(id, shared);
    return shared;
  }

  /** Evicts loads that are much older, so that devices without requests take no memory. */
  #keep(id: string, shared: SharedLoad): void {
    this.#shared.delete(id); // a Map keeps the position of an existing key
    for (const [other, { beganAt }] of this.#shared) {
      if (shared.beganAt - beganAt < 2 * sharedForMs) break;
      this.#shared.delete(other);
    }
    this.#shared.set(id, shared);
  }
}

/** Counts the units charged to a budget. */
class MeteredBudget implements UnitBudget {
  readonly #budget: RequestBudget;
  units = 0;

  constructor(budget: RequestBudget) {
    this.#budget = budget;
  }

  charge(units: number): void {
    this.units += units;
    this.#budget.charge(units);
  }

  get isSpent(): boolean {
    return this.#budget.isSpent;
  }

  get maxValues(): number {
    return this.#budget.maxValues;
  }
}
