import { adviseOnPartition, adviseOnThrottling, hottestFirst, kindOf } from '@engawa/heat';
import { encodeTuple, shardedPartition } from '@engawa/keys';
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
import type { Relief } from './relief.ts';

export interface HeatWatchOptions {
  heat: Heat;
  relief: Relief;
  /** Whether hot families get more shards. */
  grows: boolean;
  keys: KeyNaming;
  nameOf: KeyNamer;
  log: Logger;
}

/** Milliseconds between two looks. */
const interval = 1000;

/** Keys of each index and unit that a report can tell of. */
const mostReported = 100;

/** Looks once a second at what is hot: says so in the log, and has it relieved. */
export class HeatWatch {
  readonly #options: HeatWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** Those that were hot at the last look. */
  #hot: ReadonlySet<string> = new Set();

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

  /** The hottest keys, at most so many, and all reasons for throttling. */
  report(limit: number): HeatReport {
    const { heat, keys } = this.#options;
    const now = performance.now();
    const partitions = heat
      .sides()
      .flatMap((side) => heat.top(side, Math.min(limit, mostReported), now))
      .sort(hottestFirst)
      .slice(0, limit)
      .map((one) => this.#reported(one, now));
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
      this.#options.log.error({ err: error }, 'what is hot could not be looked at');
    }
  }

  #look(): void {
    const { heat, relief, grows } = this.#options;
    const now = performance.now();
    for (const change of heat.tick(now)) this.#tell(change);
    const allHot = heat.hot(now);
    this.#hot = new Set(allHot.map(hotKey));
    if (!grows) return;
    const throttling = heat.throttling(now);
    for (const hot of allHot) {
      relief.relieve(hot, throttling).catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a hot key could not be relieved: trying again');
      });
    }
  }

  #tell({ change, heat }: HeatChange): void {
    const { log, nameOf } = this.#options;
    const { index, unit, partition, utilization, throttlesPerSecond } = heat;
    const about = { index, unit, partition: nameOf(index, partition), utilization };
    if (change === 'cooled') log.info(about, 'a partition has cooled');
    else
      log.warn({ ...about, throttlesPerSecond, advice: this.#advice(heat) }, 'a partition is hot');
  }

  #advice(heat: PartitionHeat): string[] {
    const { relief, grows } = this.#options;
    const shards = relief.shardsOf(heat.index, heat.partition);
    return adviseOnPartition({ heat, shards, grows });
  }

  #reported(heat: PartitionHeat, now: number): ReportedPartition {
    const { index, unit, partition, hotSince } = heat;
    const { unitsPerSecond, uncertainty, utilization, throttlesPerSecond } = heat;
    const shards = this.#options.relief.shardsOf(index, partition);
    const family = familyName(index, partition);
    return {
      index,
      unit,
      partition: this.#options.nameOf(index, partition),
      kind: kindOf(heat),
      ...(family !== undefined && { family }),
      ...(shards !== undefined && { shards }),
      unitsPerSecond,
      uncertainty,
      utilization,
      throttlesPerSecond,
      ...(hotSince !== undefined && {
        hotSince: new Date(Date.now() - (now - hotSince)).toISOString(),
      }),
      advice: this.#advice(heat),
    };
  }
}

function hotKey({ index, unit, partition }: Partition): string {
  return `${index} ${unit} ${partition}`; // no index has a blank in its name
}

function familyName(index: string, partition: string): string | undefined {
  const sharded = shardedPartition(index, partition);
  if (sharded === undefined) return undefined;
  return sharded.kind === 'device' ? 'DEVICE' : encodeTuple(sharded.family);
}
