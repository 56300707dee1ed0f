import { IndexUnitHeat } from './index-unit-heat.ts';
import { TimeWindow, windowSeconds } from './time-window.ts';
import { hottestFirst, mostFrequentFirst } from '../reports/hotness-order.ts';
import type { UseVisitor } from '../history/unit-use.ts';
import type { PeerLoadReport } from '../reports/peer-loads.ts';
import type {
  HeatChange,
  Partition,
  PartitionHeat,
  IndexUnit,
  ThrottlingCause,
  ThrottlingRate,
  Unit,
} from '../keys/partition.ts';

export interface HeatOptions {
  /** Units per second of one partition (DynamoDB's own limits: 3,000 and 1,000). */
  limits: Record<Unit, number>;
}

/** The table and two indexes, reads and writes, are six index units. Further ones are not counted. */
const maxIndexUnits = 8;

/**
 * The most used and most throttled partition keys over a sliding window, in bounded memory: the caller records the
 * outcome of each request. Time is injected: `now` is in milliseconds on a monotonic clock.
 *
 * Six full index units with throttles take 1.7 MB, keys included. With a Zipf distribution over a million keys, half of
 * the records of new keys, a record takes 0.4 to 0.9 µs of CPU, and more than 99 of 100 top tens are exact
 * (test/top-ten.test.ts).
 */
export class Heat {
  readonly limits: Record<Unit, number>;
  /** Length of the window of all rates. */
  readonly windowSeconds = windowSeconds;
  readonly #window = new TimeWindow({ onTurn: (panes) => this.#turn(panes) });
  readonly #heats: IndexUnitHeat[] = [];
  readonly #byUnit: Record<Unit, Map<string, IndexUnitHeat>> = {
    read: new Map(),
    write: new Map(),
  };

  constructor({ limits }: HeatOptions) {
    this.limits = limits;
  }

  /** Records consumed units. */
  used({ index, unit, partition }: Partition, units: number, now: number): void {
    this.#window.moveTo(now);
    if (!(units > 0 && units < Infinity)) return;
    this.#heatOf(index, unit)?.used(partition, units);
  }

  /** Records a throttled item or Query of this many units. */
  throttled(
    { index, unit, partition }: Partition,
    cause: ThrottlingCause,
    units: number,
    now: number,
  ): void {
    this.#window.moveTo(now);
    const counted = units > 0 && units < Infinity ? units : 0;
    this.#heatOf(index, unit)?.throttled(partition, cause, counted);
  }

  /** Records a throttle of a key that the request does not name, such as the unchanged index key of an update. */
  throttledElsewhere({ index, unit }: IndexUnit, cause: ThrottlingCause, now: number): void {
    this.#window.moveTo(now);
    this.#heatOf(index, unit)?.throttledElsewhere(cause);
  }

  /**
   * The candidate with the highest demand as a share of its limit: consumed units, and those of throttled requests with
   * it. It is the most likely cause where DynamoDB does not name the throttled key: a key that many throttled requests
   * share, before the keys of single ones. The first of equal ones.
   * @param units of the throttled request
   */
  hottest(candidates: readonly Partition[], units: number, now: number): Partition | undefined {
    this.#window.moveTo(now);
    if (candidates.length < 2) return candidates[0];
    for (const { index, unit, partition } of candidates) {
      this.#heatOf(index, unit)?.suspected(partition, units);
    }
    let hottest: Partition | undefined;
    let highest = -1;
    for (const candidate of candidates) {
      const { index, unit, partition } = candidate;
      const demand = this.#byUnit[unit].get(index)?.demand(partition) ?? 0;
      if (demand > highest) [hottest, highest] = [candidate, demand];
    }
    return hottest;
  }

  /** The keys that became hot or cooled down since the last call; call it about once a second. */
  tick(now: number): HeatChange[] {
    this.#window.moveTo(now);
    return this.#heats.flatMap((heat) => heat.tick());
  }

  /**
   * Keys that may be hot by the total of several processes: this process uses at least this share of the limit, or has
   * found the key hot, but does not make it hot alone.
   */
  suspects(leastShare: number, now: number): Partition[] {
    this.#window.moveTo(now);
    return this.#heats.flatMap((heat) =>
      heat.suspects(leastShare).map((partition) => ({ ...heat.indexUnit, partition })),
    );
  }

  /** Replaces the known loads of other processes. Afterwards a key is also hot if the total of all processes is. */
  learnPeerLoads(report: PeerLoadReport): void {
    for (const heat of this.#heats) {
      const { index, unit } = heat.indexUnit;
      const loads = report.loads.filter((load) => load.index === index && load.unit === unit);
      heat.learnPeerLoads({ ...report, loads });
    }
  }

  /** The hot keys, in the order of `hottestFirst`. */
  hot(now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#heats.flatMap((heat) => heat.hot()).sort(hottestFirst);
  }

  /** The keys with the most units or throttles, in the order of `hottestFirst`, at most `count`. */
  top({ index, unit }: IndexUnit, count: number, now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#byUnit[unit].get(index)?.top(count) ?? [];
  }

  /** The index units with records. */
  indexUnits(): IndexUnit[] {
    return this.#heats.map(({ indexUnit }) => ({ ...indexUnit }));
  }

  /** Throttling rates by index, unit and reason, the most frequent first. */
  throttling(now: number): ThrottlingRate[] {
    this.#window.moveTo(now);
    return this.#heats.flatMap((heat) => heat.throttling()).sort(mostFrequentFirst);
  }

  /** Visits the use of all keys since the last call, for a history; call it about once a second. */
  takeUse(visitor: UseVisitor): void {
    for (const heat of this.#heats) heat.takeUse(visitor);
  }

  /** Approximate memory in bytes. */
  get memoryBytes(): number {
    return this.#heats.reduce((sum, heat) => sum + heat.bytes, 0);
  }

  #heatOf(index: string, unit: Unit): IndexUnitHeat | undefined {
    return this.#byUnit[unit].get(index) ?? this.#openHeat(index, unit);
  }

  #openHeat(index: string, unit: Unit): IndexUnitHeat | undefined {
    if (this.#heats.length >= maxIndexUnits) return undefined;
    const limit = this.limits[unit];
    const heat = new IndexUnitHeat({ indexUnit: { index, unit }, limit, window: this.#window });
    this.#heats.push(heat);
    this.#byUnit[unit].set(index, heat);
    return heat;
  }

  #turn(panes: number): void {
    for (const heat of this.#heats) heat.turn(panes);
  }
}
