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

/** A table and its two indexes, read and written, are six. What would be a side beyond is not counted. */
const mostSides = 8;

/**
 * Which partition keys are read and written most, and which are throttled, over a sliding window, in memory that does not
 * grow. Knows no time but what it is told: `now` is in milliseconds on any clock that never goes back.
 */
export class Heat {
  readonly limits: Record<Unit, number>;
  /** Seconds that rates are of. */
  readonly windowSeconds = windowSeconds;
  readonly #window = new TimeWindow({ onTurn: (panes) => this.#turn(panes) });
  readonly #sides: SideHeat[] = [];
  readonly #byUnit: Record<Unit, Map<string, SideHeat>> = { read: new Map(), write: new Map() };

  constructor({ limits }: HeatOptions) {
    this.limits = limits;
  }

  /** Units that were consumed. */
  used({ index, unit, partition }: Partition, units: number, now: number): void {
    this.#window.moveTo(now);
    if (!(units > 0 && units < Infinity)) return;
    this.#sideOf(index, unit)?.used(partition, units);
  }

  /** An attempt that came back: an item or a question of so many units. */
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
   * The one with the highest share of its limit, used or turned away, where it is not known which of them was throttled. Of
   * equal ones the first.
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

  /** Looks at what has become hot or cool since the last time; call it about once a second. */
  tick(now: number): HeatChange[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) => side.tick());
  }

  /**
   * Keys that may be hot in the sum of several processes: this process uses them from this share of the limit on, or has found
   * them hot, but does not make them hot alone.
   */
  suspects(leastShare: number, now: number): Partition[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) =>
      side.suspects(leastShare).map((partition) => ({ ...side.side, partition })),
    );
  }

  /** What other processes use of keys, in place of what was known before. A key is hot by the sum from then on. */
  learnOthers(told: OthersLoads): void {
    for (const side of this.#sides) {
      const { index, unit } = side.side;
      const loads = told.loads.filter((load) => load.index === index && load.unit === unit);
      side.learnOthers({ ...told, loads });
    }
  }

  /** Those that are hot, the hottest first (`hottestFirst`). */
  hot(now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) => side.hot()).sort(hottestFirst);
  }

  /** The keys with the most units or throttles, the hottest first (`hottestFirst`), at most so many. */
  top({ index, unit }: Side, count: number, now: number): PartitionHeat[] {
    this.#window.moveTo(now);
    return this.#byUnit[unit].get(index)?.top(count) ?? [];
  }

  /** Sides of which there is something to tell. */
  sides(): Side[] {
    return this.#sides.map(({ side }) => ({ ...side }));
  }

  /** By index, unit and reason, the most frequent first. */
  throttling(now: number): ThrottlingRate[] {
    this.#window.moveTo(now);
    return this.#sides.flatMap((side) => side.throttling()).sort(mostFrequentFirst);
  }

  /** About how many bytes of memory all of it takes. */
  get memoryBytes(): number {
    return this.#sides.reduce((sum, side) => sum + side.bytes, 0);
  }

  #sideOf(index: string, unit: Unit): SideHeat | undefined {
    return this.#byUnit[unit].get(index) ?? this.#openSide(index, unit);
  }

  #openSide(index: string, unit: Unit): SideHeat | undefined {
    if (this.#sides.length >= mostSides) return undefined;
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
