import { Problem } from '@engawa/errors';
import {
  decodeTuple,
  encodeTuple,
  maxStalenessMs,
  familyLabel,
  grownCount,
  grownEpochs,
  learnEpochs,
  maxShards,
  shardCountAt,
  shardMapKey,
  shardMapPartition,
  shardsToRead,
  shardsToWrite,
  tableIdKey,
} from '@engawa/keys';
import { epochDocuments, parseEpochs } from '@engawa/model';
import { absent, equal } from '../items/expression.ts';
import { queryAll } from '../read/pages.ts';
import { TableIdentity } from './table-identity.ts';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { KnownEpoch, ClockTimes, ShardEpoch, ShardFamily } from '@engawa/keys';
import type { Logger } from 'pino';
import type { QueryTarget } from '../read/pages.ts';
import type { Table } from '../table.ts';
import type { ShardMetrics } from './shard-metrics.ts';
import type { Shards } from './shards.ts';
import type { OnReplaced } from './table-identity.ts';

export interface ShardMapOptions {
  table: Pick<Table, 'query' | 'update'>;
  metrics: ShardMetrics;
  log: Logger;
  /** Called when this process learns that a family has more shards than before. */
  onReshard?: (event: { of: { family: string }; from: number; to: number }) => void;
  now?: () => ClockTimes;
}

export interface Growth {
  /** Demand of the hottest key, as a multiple of the limit of one partition. */
  demand: number;
  /** Minimum time that the key must be hot with its current shards. */
  sustainedMs: number;
}

/** Interval of background reads: well within `maxStalenessMs`. */
const intervalMs = 2000;

/** Index entries have no time: every epoch applies to them. */
const always = Infinity;

/** The number of shards of each family of index keys, read from the table and refreshed in the background. */
export class ShardMap implements Shards {
  readonly #options: ShardMapOptions;
  readonly #now: () => ClockTimes;
  readonly #identity: TableIdentity;
  #epochs = new Map<string, KnownEpoch[]>();
  /** Start of the last successful read, on the monotonic clock. */
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ShardMapOptions) {
    this.#options = options;
    this.#identity = new TableIdentity(options);
    this.#now = options.now ?? (() => ({ wall: Date.now(), steady: performance.now() }));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Calls back after the table was deleted and created again; this process also gives the table its id. */
  watchTable(onReplaced: OnReplaced): void {
    this.#identity.watch(onReplaced);
  }

  get #isFresh(): boolean {
    return this.#now().steady - this.#readAt <= maxStalenessMs;
  }

  toWrite(family: ShardFamily): number {
    this.#open();
    return shardsToWrite(this.#known(family), always, this.#now().steady);
  }

  /** Sends no request unless the last background reads have failed. */
  async toRead(family: ShardFamily): Promise<number> {
    this.#open();
    if (!this.#isFresh) await this.#read();
    // The first call may have joined a read that began too long ago.
    if (!this.#isFresh) await this.#read();
    if (!this.#isFresh) {
      throw new Problem('table-unavailable', 'Reading the shard map takes too long.');
    }
    return shardsToRead(this.#known(family), always);
  }

  /** The shards of a family, including shards that are not yet active, as far as this process knows. */
  known(family: ShardFamily): number {
    return shardCountAt(this.#known(family), always);
  }

  /**
   * Adds shards to a family, with one conditional write, so that one of several processes succeeds. Does nothing if the
   * last growth is too recent, if the family has the maximum, or if another process was first.
   */
  async grow(family: ShardFamily, { demand, sustainedMs }: Growth): Promise<void> {
    const { wall, steady } = this.#now();
    const known = this.#known(family);
    const settled = Math.max(...known.map(({ usableAt }) => usableAt + sustainedMs));
    const before = this.known(family);
    if (steady < settled || before >= maxShards) return;
    const count = grownCount(before, demand);
    const epochs = grownEpochs(known, { since: 0, count, now: wall });
    if (!(await this.#write(family, known, epochs))) return;
    this.#options.metrics.grown(familyLabel(family));
    const name = encodeTuple(family);
    this.#options.log.warn(
      { family: name, before, shards: count },
      'hot key family: adding shards',
    );
  }

  /** Starts the background reads on first use. */
  #open(): void {
    if (this.#timer !== undefined) return;
    const read = (): void => {
      this.#read().catch((error: unknown) => {
        this.#options.log.debug({ err: error }, 'reading the shard map failed');
      });
    };
    this.#timer = setInterval(read, intervalMs).unref();
    read();
  }

  async #write(
    family: ShardFamily,
    before: readonly ShardEpoch[],
    epochs: readonly ShardEpoch[],
  ): Promise<boolean> {
    const onlyIf = before.length === 0 ? absent('pk') : equal('epochs', epochDocuments(before));
    try {
      const set = { epochs: epochDocuments(epochs) };
      await this.#options.table.update(shardMapKey(family), { set, onlyIf });
      this.#learn(family, epochs);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.item !== undefined) this.#learn(family, parseEpochs(error.item['epochs']));
      return false;
    }
  }

  /** Concurrent callers share one read. */
  #read(): Promise<void> {
    this.#reading ??= this.#readAll()
      .catch((error: unknown) => {
        this.#identity.failed(error);
        throw error;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** One Query per megabyte; consistent, so that it returns at least the state at its start. */
  async #readAll(): Promise<void> {
    const startedAt = this.#now().steady;
    const { table, metrics } = this.#options;
    const counted: QueryTarget = {
      query: (request) => table.query(request).finally(() => metrics.mapRead()),
    };
    const items = await queryAll(counted, { pk: shardMapPartition, consistent: true });
    const named = new Map(items.map((item) => [item['sk'] as string, item])); // a key, so a text
    const id = named.get(tableIdKey.sk)?.['id'];
    named.delete(tableIdKey.sk);
    // Readers of the new table do not know the shards of the former one.
    if (await this.#identity.read(id, startedAt)) this.#epochs.clear();
    for (const [name, item] of named) this.#learnNamed(name, parseEpochs(item['epochs']));
    this.#readAt = startedAt;
  }

  #known(family: ShardFamily): readonly KnownEpoch[] {
    return this.#epochs.get(encodeTuple(family)) ?? [];
  }

  #learn(family: ShardFamily, epochs: readonly ShardEpoch[]): void {
    this.#learnNamed(encodeTuple(family), epochs);
  }

  #learnNamed(name: string, epochs: readonly ShardEpoch[]): void {
    const known = this.#epochs.get(name) ?? [];
    // A late response must not replace newer data: counts only grow.
    if (epochs.length < known.length) return;
    this.#epochs.set(name, learnEpochs(known, epochs, this.#now()));
    const label = familyLabel(decodeTuple(name));
    this.#tellReshard(label, known, epochs);
    const counts = [...this.#epochs].map(([each, known]) =>
      familyLabel(decodeTuple(each)) === label ? shardCountAt(known, always) : 0,
    );
    this.#options.metrics.shards(label, Math.max(...counts));
  }

  /** What the first read of the map finds is no change. */
  #tellReshard(family: string, known: readonly KnownEpoch[], epochs: readonly ShardEpoch[]): void {
    const [from, to] = [shardCountAt(known, always), shardCountAt(epochs, always)];
    if (from === to || this.#readAt === -Infinity) return;
    this.#options.onReshard?.({ of: { family }, from, to });
  }
}
