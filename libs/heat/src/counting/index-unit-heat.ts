import { boundedKey } from '../keys/bounded-key.ts';
import { coolBelow, HotKeys, hotFrom } from '../reports/hot-keys.ts';
import { PeerLoads } from '../reports/peer-loads.ts';
import { ReasonCounts } from './reason-counts.ts';
import { SlidingSketch } from './sliding-sketch.ts';
import { ThrottledKeys } from './throttled-keys.ts';
import { paneSeconds } from './time-window.ts';
import { concernsKey, explainedFrom, hottestFirst } from '../reports/hotness-order.ts';
import { ReplacedUse } from '../history/unit-use.ts';
import type { PeerLoadReport } from '../reports/peer-loads.ts';
import type {
  HeatChange,
  PeerHeat,
  PartitionHeat,
  IndexUnit,
  ThrottlingCause,
  ThrottlingRate,
} from '../keys/partition.ts';
import type { TimeWindow } from './time-window.ts';
import type { UseVisitor } from '../history/unit-use.ts';

/** Counted keys of an index unit: up to this number every load is exact. */
const capacity = 800;

/** Keys that are checked for heat by use: as many as HotKeys keeps. */
const maxChecked = 64;

/** Throttled keys that are checked between two ticks. */
const maxThrottled = 1000;

/** Counted candidates for throttles without a named key. */
const maxCandidates = 200;

export interface IndexUnitHeatOptions {
  indexUnit: IndexUnit;
  /** Units per second of one partition. */
  limit: number;
  /** Shared by all index units; the owner moves it and reports turned panes. */
  window: TimeWindow;
}

/** The heat of one index, for reads or for writes. */
export class IndexUnitHeat {
  readonly indexUnit: IndexUnit;
  readonly #limit: number;
  readonly #window: TimeWindow;
  readonly #units: SlidingSketch;
  readonly #replacedUnits: ReplacedUse;
  readonly #replacedThrottles: ReplacedUse;
  /** Most index units are never throttled. */
  #throttles: ThrottledKeys | undefined;
  readonly #reasons = new ReasonCounts();
  readonly #hot = new HotKeys();
  /** Keys that were throttled since the last tick for a reason that concerns a key. */
  readonly #throttledKeys = new Set<string>();
  /** Units of throttled requests that each key may have caused. */
  #candidates: SlidingSketch | undefined;
  readonly #peers = new PeerLoads();

  constructor({ indexUnit, limit, window }: IndexUnitHeatOptions) {
    this.indexUnit = indexUnit;
    const { index, unit } = indexUnit;
    this.#replacedUnits = new ReplacedUse(index, unit === 'read' ? 'reads' : 'writes');
    this.#replacedThrottles = new ReplacedUse(index, 'throttles');
    this.#units = new SlidingSketch({
      capacity,
      onReplace: (partition, units) => this.#replacedUnits.add(partition, units),
    });
    this.#limit = limit;
    this.#window = window;
  }

  used(partition: string, units: number): void {
    this.#units.add(partition, units);
  }

  throttled(partition: string, cause: ThrottlingCause, units: number): void {
    this.#throttles ??= new ThrottledKeys((replaced, count) =>
      this.#replacedThrottles.add(replaced, count),
    );
    this.#throttles.add(partition, cause.scope, units);
    this.#reasons.add(cause);
    if (concernsKey(cause.scope) && this.#throttledKeys.size < maxThrottled) {
      this.#throttledKeys.add(boundedKey(partition));
    }
  }

  /** A throttle of a key that the request does not name. */
  throttledElsewhere(cause: ThrottlingCause): void {
    this.#reasons.add(cause);
  }

  /** A throttled request of this many units may concern this key. */
  suspected(partition: string, units: number): void {
    this.#candidates ??= new SlidingSketch({ capacity: maxCandidates });
    if (units > 0) this.#candidates.add(partition, units);
  }

  /** Consumed units of a key, and those of throttled requests with it, as a share of its limit. */
  demand(partition: string): number {
    const used = this.#units.read(partition)?.estimate ?? 0;
    const throttled = this.#throttles?.of(partition).units ?? 0;
    const suspected = this.#candidates?.read(partition)?.estimate ?? 0;
    return (used + throttled + suspected) / this.#window.seconds / this.#limit;
  }

  tick(): HeatChange[] {
    const { now } = this.#window;
    const sumOf = (partition: string) => this.#sumOf(partition);
    for (const partition of this.#units.largest(maxChecked)) {
      if (this.#sumOf(partition) < hotFrom) continue;
      if (this.#isStillUsed(partition)) this.#hot.busy(partition, now, sumOf);
    }
    for (const partition of this.#throttledKeys) {
      if (this.#explainsThrottles(partition)) this.#hot.busy(partition, now, sumOf);
    }
    this.#throttledKeys.clear();
    const changes = this.#hot.tick(now, sumOf);
    return (['heated', 'cooled'] as const).flatMap((change) =>
      this.#heats(changes[change]).map((heat) => ({ change, heat })),
    );
  }

  hot(): PartitionHeat[] {
    return this.#heats(this.#hot.hot());
  }

  /**
   * Keys that this process does not make hot alone, but possibly together with other processes: it uses at least this
   * share of the limit, or the key is already hot.
   */
  suspects(leastShare: number): string[] {
    const used = this.#units
      .largest(maxChecked)
      .filter((partition) => this.#utilizationOf(partition) >= leastShare);
    const suspects = new Set([...used, ...this.#hot.hot()]);
    return [...suspects].filter((partition) => {
      const share = this.#utilizationOf(partition);
      return share > 0 && share < hotFrom;
    });
  }

  learnPeerLoads(report: PeerLoadReport): void {
    this.#peers.learn(report);
  }

  top(count: number): PartitionHeat[] {
    const throttled = this.#throttles?.partitions() ?? [];
    const partitions = new Set([...this.#units.largest(count), ...throttled]);
    return this.#heats([...partitions]).slice(0, count);
  }

  throttling(): ThrottlingRate[] {
    const { seconds } = this.#window;
    return this.#reasons
      .all()
      .map(({ cause, count }) => ({ ...this.indexUnit, ...cause, perSecond: count / seconds }));
  }

  /** Visits the use since the last call: together exactly the recorded units and throttles. */
  takeUse(visitor: UseVisitor): void {
    const { index, unit } = this.indexUnit;
    const measure = unit === 'read' ? 'reads' : 'writes';
    this.#units.takeFresh((key, units) => visitor.ofKey(index, measure, key, units));
    this.#throttles?.takeFresh((key, count) => visitor.ofKey(index, 'throttles', key, count));
    this.#replacedUnits.take(visitor);
    this.#replacedThrottles.take(visitor);
  }

  turn(panes: number): void {
    this.#units.turn(panes);
    this.#throttles?.turn(panes);
    this.#candidates?.turn(panes);
    this.#reasons.turn(panes);
  }

  get bytes(): number {
    return this.#units.bytes + (this.#throttles?.bytes ?? 0) + (this.#candidates?.bytes ?? 0);
  }

  #heats(partitions: readonly string[]): PartitionHeat[] {
    return partitions.map((partition) => this.#heatOf(partition)).sort(hottestFirst);
  }

  #heatOf(partition: string): PartitionHeat {
    const { now, seconds } = this.#window;
    const { estimate, error } = this.#bounds(partition);
    const { counts = {}, units = 0 } = this.#throttles?.of(partition) ?? {};
    const perSecond = Object.entries(counts).map(
      ([scope, count]) => [scope, count / seconds] as const,
    );
    const others = this.#peerHeat(partition);
    return {
      ...this.indexUnit,
      partition,
      unitsPerSecond: estimate / seconds,
      uncertainty: error / seconds,
      utilization: estimate / seconds / this.#limit,
      throttlesPerSecond: Object.fromEntries(perSecond),
      throttledUnitsPerSecond: units / seconds,
      ...(others && { others }),
      ...this.#hot.stateOf(partition, now),
    };
  }

  /** Use by this process as a share of the limit, as far as it is certain: no innocent key is hot by an estimate. */
  #utilizationOf(partition: string): number {
    const { estimate, error } = this.#bounds(partition);
    return (estimate - error) / this.#window.seconds / this.#limit;
  }

  /** Whether its use explains that a key is throttled: for another cause, DynamoDB throttles keys with far less use. */
  #explainsThrottles(partition: string): boolean {
    const others = this.#peers.of(partition, this.#window.now) / this.#limit;
    const busiest = this.#units.busiest(partition) / paneSeconds / this.#limit;
    return Math.max(busiest + others, this.#sumOf(partition)) >= explainedFrom;
  }

  /** Use by all processes, as far as known, as a share of the limit. */
  #sumOf(partition: string): number {
    const others = this.#peers.of(partition, this.#window.now) / this.#limit;
    return this.#utilizationOf(partition) + others;
  }

  #peerHeat(partition: string): PeerHeat | undefined {
    const unitsPerSecond = this.#peers.of(partition, this.#window.now);
    if (unitsPerSecond === 0) return undefined;
    const { lagMs } = this.#peers;
    return { unitsPerSecond, utilization: unitsPerSecond / this.#limit, lagMs };
  }

  /**
   * Whether the load is current: a spike stays in the window after its end. Other processes report only averages, so
   * their spike is assumed to end with that of this process.
   */
  #isStillUsed(partition: string): boolean {
    const { seconds } = this.#window;
    const average = this.#bounds(partition).estimate / seconds;
    const current = this.#units.latest(partition) / Math.min(paneSeconds, seconds);
    return current * this.#sumOf(partition) >= coolBelow * average;
  }

  /** The estimate of a key that is not counted is entirely uncertain. */
  #bounds(partition: string): { estimate: number; error: number } {
    const max = this.#units.missed;
    return this.#units.read(partition) ?? { estimate: max, error: max };
  }
}
