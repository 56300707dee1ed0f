import { SideHeat } from './side-heat.ts';
import { TimeWindow, windowSeconds } from './time-window.ts';
import { hottestFirst, mostFrequentFirst } from './warmth.ts';
import type { OthersLoads } from './others-load.ts';
import type {
  HeatChange,
  Partition,
  PartitionHeat,
  Side,
  ThrottlingCause,
  ThrottlingRate,
  Unit,
} from './partition.ts';

export interface HeatOptions {
  /** Units a second that one partition takes (DynamoDB's own: 3,000 and 1,000). */
  limits: Record<Unit, number>;
}

/** The table and two indexes, reading and writing, are six sides. Further sides are not counted. */
const maxSides = 8;

/**
 * The most used and most throttled partition keys over a sliding window, in bounded memory. Time is
 * injected: `now` is in milliseconds on a monotonic clock.
 */
export class Heat {
  readonly limits: Record<Unit, number>;
  /** Length of the window of all rates. */
  readonly windowSeconds = windowSeconds;
  readonly #window = new TimeWindow({ onTurn: (panes) => this.#turn(panes) });
  readonly #sides: SideHeat[] = [];
  readonly #byUnit: Record<Unit, Map<string, SideHeat>> = { read: new Map(), write: new Map() };

  constructor({ limits }: HeatOptions) {
    this.limits = limits;
  }

  /** Records consumed units. */
  used({ index, unit, partition }: Partition, units: number, now: number): void {
    this.#window.moveTo(now);
    if (!(units > 0 && units < Infinity)) return;
    this.#sideOf(index, unit)?.used(partition, units);
  }

  /** Records a throttled item or Query of so many units. */
  throttled(
    { index, unit, partition }: Partition,
    cause: ThrottlingCause,
    units: number,
    now: number,
  ): void {
    this.#window.moveTo(now);
    const counted = units > 0 && units < Infinity ? units : 0;
    this.#sideOf(index, unit)?.throttled(partition, cause, counted);
  }

  /**
   * The candidate with the highest demand (consumed and throttled units as a share of its limit):
   * the most likely one where DynamoDB does not say which was throttled. The first of equal ones.
   */
  hottest(candidates: readonly Partition[], now: number): Partition | undefined {
    this.#window.moveTo(now);
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
    return this.#sides.flatMap((side) => side.tick());
  }

  /**
   * Keys that may be hot in the sum of several processes: this process uses at least this share of
   * the limit, or has found the key hot, but does not make it hot alone.
   */
  suspects(leastShare: number, now: number): Partition[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) =>
      side.suspects(leastShare).map((partition) => ({ ...side.side, partition })),
    );
  }

  /** Replaces the known loads of other processes. From then on a key is hot by the sum of all processes. */
  learnOthers(told: OthersLoads): void {
    for (const side of this.#sides) {
      const { index, unit } = side.side;
      const loads = told.loads.filter((load) => load.index === index && load.unit === unit);
      side.learnOthers({ ...told, loads });
    }
  }

  /** The hot keys, in the order of `hottestFirst`. */
  hot(now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) => side.hot()).sort(hottestFirst);
  }

  /** The keys with the most units or throttles, in the order of `hottestFirst`, at most `count`. */
  top({ index, unit }: Side, count: number, now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#byUnit[unit].get(index)?.top(count) ?? [];
  }

  /** The sides with records. */
  sides(): Side[] {
    return this.#sides.map(({ side }) => ({ ...side }));
  }

  /** Throttling rates by index, unit and reason, the most frequent first. */
  throttling(now: number): ThrottlingRate[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) => side.throttling()).sort(mostFrequentFirst);
  }

  /** Approximate memory in bytes. */
  get memoryBytes(): number {
    return this.#sides.reduce((sum, side) => sum + side.bytes, 0);
  }

  #sideOf(index: string, unit: Unit): SideHeat | undefined {
    return this.#byUnit[unit].get(index) ?? this.#openSide(index, unit);
  }

  #openSide(index: string, unit: Unit): SideHeat | undefined {
    if (this.#sides.length >= maxSides) return undefined;
    const limit = this.limits[unit];
    const side = new SideHeat({ side: { index, unit }, limit, window: this.#window });
    this.#sides.push(side);
    this.#byUnit[unit].set(index, side);
    return side;
  }

  #turn(panes: number): void {
    for (const side of this.#sides) side.turn(panes);
  }
}
