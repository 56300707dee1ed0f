import {
  adviseOnPartition,
  adviseOnThrottling,
  hottestFirst,
  kindOf,
  loadsOfOthers,
  sumUtilization,
} from '@engawa/heat';
import { familyLabel, shardedPartition } from '@engawa/keys';
import type {
  Heat,
  HeatChange,
  HeatReport,
  KeyNamer,
  KeyNaming,
  Partition,
  PartitionHeat,
  ReportedPartition,
  Unit,
} from '@engawa/heat';
import type { Logger } from 'pino';
import type { Mitigation } from './mitigation.ts';

export interface HeatWatchOptions {
  heat: Heat;
  mitigation: Mitigation;
  /** Whether hot families get more shards. */
  grows: boolean;
  keys: KeyNaming;
  /** How each naming names keys. */
  namers: Record<KeyNaming, KeyNamer>;
  log: Logger;
}

/** What other processes have told. */
export interface ToldByOthers {
  /** The keys that they were asked about. */
  suspects: readonly Partition[];
  /** Each process once. */
  reports: readonly Pick<HeatReport, 'keys' | 'partitions'>[];
  /** Milliseconds by which their figures may be late. */
  lagMs: number;
  /** Milliseconds for which they can be used. */
  validMs: number;
}

/** Milliseconds between two looks. */
const interval = 1000;

/** Keys of each index and unit that a report can tell of. */
const mostReported = 100;

/** Looks once a second for hot keys: logs them, and starts their mitigation. */
export class HeatWatch {
  readonly #options: HeatWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** The keys that were hot at the last look, and the share of their load that this process causes. */
  #hot: ReadonlyMap<string, number> = new Map();

  constructor(options: HeatWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#lookSafely(), interval).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Whether it was hot a second ago, so that who asks very often need not count. */
  isHot(index: string, unit: Unit, partition: string): boolean {
    return this.#hot.size > 0 && this.#hot.has(hotKey({ index, unit, partition }));
  }

  /**
   * Of the load of a key that was hot a second ago, the share that this process causes: 1 where no other process is known to
   * use the key. Undefined where it was not hot.
   */
  shareOfHot(index: string, unit: Unit, partition: string): number | undefined {
    return this.#hot.get(hotKey({ index, unit, partition }));
  }

  /** Keys that may be hot in the sum of several processes, used here from this share of the limit on (`Heat.suspects`). */
  suspects(leastShare: number): Partition[] {
    return this.#options.heat.suspects(leastShare, performance.now());
  }

  /** From now on a key is hot also by what this process and others use together. */
  learnOthers({ suspects, reports, lagMs, validMs }: ToldByOthers): void {
    const { heat, namers } = this.#options;
    const loads = loadsOfOthers(suspects, reports, namers);
    heat.learnOthers({ loads, lagMs, expiresAt: performance.now() + validMs });
  }

  /** The hottest keys, at most so many, and all reasons for throttling. @param keys the naming; by default the one that is set */
  report(limit: number, keys: KeyNaming = this.#options.keys): HeatReport {
    const { heat } = this.#options;
    const now = performance.now();
    const partitions = heat
      .sides()
      .flatMap((side) => heat.top(side, Math.min(limit, mostReported), now))
      .sort(hottestFirst)
      .slice(0, limit)
      .map((one) => this.#reported(one, { keys, now }));
    const throttling = heat
      .throttling(now)
      .map((one) => ({ ...one, advice: adviseOnThrottling(one) }));
    return { windowSeconds: heat.windowSeconds, limits: heat.limits, keys, partitions, throttling };
  }

  /** Whatever goes wrong here, readings come in all the same. */
  #lookSafely(): void {
    try {
      this.#look();
    } catch (error) {
      this.#options.log.error({ err: error }, 'hot-partition check failed');
    }
  }

  #look(): void {
    const { heat, mitigation, grows } = this.#options;
    const now = performance.now();
    for (const change of heat.tick(now)) this.#tell(change);
    const allHot = heat.hot(now);
    this.#hot = new Map(allHot.map((hot) => [hotKey(hot), ownShareOf(hot)]));
    if (!grows) return;
    const throttling = heat.throttling(now);
    for (const hot of allHot) {
      mitigation.mitigate(hot, throttling).catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'hot-partition mitigation failed; retrying');
      });
    }
  }

  #tell({ change, heat }: HeatChange): void {
    const { log, namers, keys } = this.#options;
    const { index, unit, partition, utilization, throttlesPerSecond, others } = heat;
    const about = {
      ...{ index, unit, partition: namers[keys](index, partition), utilization },
      ...(others && { othersUtilization: others.utilization }),
    };
    if (change === 'cooled') log.info(about, 'partition has cooled down');
    else log.warn({ ...about, throttlesPerSecond, advice: this.#advice(heat) }, 'partition is hot');
  }

  #advice(heat: PartitionHeat): string[] {
    const { mitigation, grows } = this.#options;
    const shards = mitigation.shardsOf(heat.index, heat.partition);
    return adviseOnPartition({ heat, shards, grows });
  }

  #reported(
    heat: PartitionHeat,
    { keys, now }: { keys: KeyNaming; now: number },
  ): ReportedPartition {
    const { index, unit, partition, hotSince, others } = heat;
    const { unitsPerSecond, uncertainty, utilization, throttlesPerSecond } = heat;
    const shards = this.#options.mitigation.shardsOf(index, partition);
    const family = familyName(index, partition);
    return {
      index,
      unit,
      partition: this.#options.namers[keys](index, partition),
      kind: kindOf(heat),
      ...(family !== undefined && { family }),
      ...(shards !== undefined && { shards }),
      unitsPerSecond,
      uncertainty,
      utilization,
      throttlesPerSecond,
      ...(others && { othersUnitsPerSecond: others.unitsPerSecond }),
      ...(hotSince !== undefined && {
        hotSince: new Date(Date.now() - (now - hotSince)).toISOString(),
      }),
      advice: this.#advice(heat),
    };
  }
}

function ownShareOf(heat: PartitionHeat): number {
  const sum = sumUtilization(heat);
  return sum === 0 ? 1 : heat.utilization / sum;
}

function hotKey({ index, unit, partition }: Partition): string {
  return `${index} ${unit} ${partition}`; // no index has a blank in its name
}

function familyName(index: string, partition: string): string | undefined {
  const sharded = shardedPartition(index, partition);
  if (sharded === undefined) return undefined;
  return sharded.kind === 'device' ? 'DEVICE' : familyLabel(sharded.family);
}
