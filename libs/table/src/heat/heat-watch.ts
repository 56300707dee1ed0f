import {
  adviceText,
  adviseOnPartition,
  adviseOnThrottling,
  hottestFirst,
  kindOf,
  sumPeerLoads,
  sumUtilization,
} from '@engawa/heat';
import { familyName } from './family-name.ts';
import type {
  Advice,
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
import type { HeatRecorder } from './heat-recorder.ts';
import type { DeviceMitigation, Mitigation } from './mitigation.ts';

export interface HeatWatchOptions {
  heat: Heat;
  /** The history of the same heat. */
  history: HeatRecorder;
  mitigation: Mitigation;
  /** Whether hot families get more shards. */
  grows: boolean;
  keys: KeyNaming;
  /** The naming function of each naming. */
  namers: Record<KeyNaming, KeyNamer>;
  log: Logger;
}

/** Other processes' reports about keys. */
export interface PeerReports {
  /** The requested keys. */
  suspects: readonly Partition[];
  /** One report per process. */
  reports: readonly Pick<HeatReport, 'keys' | 'partitions'>[];
  /** Maximum delay of the reported loads. */
  lagMs: number;
  /** Validity of the reported loads. */
  validMs: number;
}

const intervalMs = 1000;

/** Keys of each index and unit in a report. */
const maxReported = 100;

/** Checks once a second for hot keys: logs them and starts their mitigation. */
export class HeatWatch {
  readonly history: HeatRecorder;
  readonly #options: HeatWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** The keys that were hot at the last check, with this process's share of their load. */
  #hot: ReadonlyMap<string, number> = new Map();

  constructor(options: HeatWatchOptions) {
    this.#options = options;
    this.history = options.history;
    this.#timer = setInterval(() => this.#checkSafely(), intervalMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** To be called once the parts exist that write the readings of devices, since these parts ask for hot partitions. */
  mitigateDevices(devices: DeviceMitigation): void {
    this.#options.mitigation.mitigateDevices(devices);
  }

  /** Whether the key was hot at the last check, up to a second ago: cheap enough for every request. */
  isHot(index: string, unit: Unit, partition: string): boolean {
    return this.#hot.size > 0 && this.#hot.has(hotKey({ index, unit, partition }));
  }

  /**
   * This process's share of a hot key's load: 1 where no other process is known to use the key. Undefined where the key
   * was not hot at the last check.
   */
  shareOfHot(index: string, unit: Unit, partition: string): number | undefined {
    return this.#hot.get(hotKey({ index, unit, partition }));
  }

  /**
   * Keys that may be hot by the total load of several processes: this process uses at least this share of the limit
   * (`Heat.suspects`).
   */
  suspects(leastShare: number): Partition[] {
    return this.#options.heat.suspects(leastShare, performance.now());
  }

  /** Adds the load of other processes: afterwards a key is also hot if the total of all processes is. */
  learnPeerLoads({ suspects, reports, lagMs, validMs }: PeerReports): void {
    const { heat, namers } = this.#options;
    const loads = sumPeerLoads(suspects, reports, namers);
    heat.learnPeerLoads({ loads, lagMs, expiresAt: performance.now() + validMs });
  }

  /**
   * The hottest keys, at most `limit`, and all throttling reasons.
   * @param keys the naming; by default the configured one
   */
  report(limit: number, keys: KeyNaming = this.#options.keys): HeatReport {
    const { heat } = this.#options;
    const now = performance.now();
    const partitions = heat
      .indexUnits()
      .flatMap((indexUnit) => heat.top(indexUnit, Math.min(limit, maxReported), now))
      .sort(hottestFirst)
      .slice(0, limit)
      .map((one) => this.#reported(one, { keys, now }));
    const throttling = heat.throttling(now).map((one) => {
      const adviceCode = adviseOnThrottling(one);
      return { ...one, advice: adviceText(adviceCode), adviceCode };
    });
    return { windowSeconds: heat.windowSeconds, limits: heat.limits, keys, partitions, throttling };
  }

  /** An error in the check must not end the process. */
  #checkSafely(): void {
    try {
      this.#check();
    } catch (error) {
      this.#options.log.error({ err: error }, 'hot-partition check failed');
    }
  }

  #check(): void {
    const { heat, mitigation, grows } = this.#options;
    const now = performance.now();
    for (const change of heat.tick(now)) this.#logChange(change);
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

  #logChange({ change, heat }: HeatChange): void {
    const { log, namers, keys } = this.#options;
    const { index, unit, partition, utilization, throttlesPerSecond, others } = heat;
    const about = {
      ...{ index, unit, partition: namers[keys](index, partition), utilization },
      ...(others && { othersUtilization: others.utilization }),
    };
    if (change === 'cooled') log.info(about, 'partition has cooled down');
    else {
      const advice = this.#advice(heat).map(adviceText);
      log.warn({ ...about, throttlesPerSecond, advice }, 'partition is hot');
    }
  }

  #advice(heat: PartitionHeat): Advice[] {
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
    const advice = this.#advice(heat);
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
      advice: advice.map(adviceText),
      adviceCodes: advice,
    };
  }
}

function ownShareOf(heat: PartitionHeat): number {
  const sum = sumUtilization(heat);
  return sum === 0 ? 1 : heat.utilization / sum;
}

function hotKey({ index, unit, partition }: Partition): string {
  return `${index} ${unit} ${partition}`; // Names of indexes contain no space.
}
