import { Problem } from '@engawa/errors';
import {
  activeShrink,
  begunShrink,
  decodeTuple,
  encodeTuple,
  maxStalenessMs,
  maxWriterStalenessMs,
  familyLabel,
  familyShards,
  familyShardsToWrite,
  grownFamily,
  learnFamily,
  maxShards,
  readPlanOf,
  shardMapKey,
  shardMapPartition,
  shrunkEpochs,
  tableIdKey,
  unsharded,
} from '@engawa/keys';
import { parseFamilyShards } from '@engawa/model';
import { queryAll } from '../read/pages.ts';
import { familyChange } from './family-change.ts';
import { TableIdentity } from './table-identity.ts';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { ClockTimes, FamilyShards, KnownFamily, ReadPlan, ShardFamily } from '@engawa/keys';
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

/** A shrink as this process may use it. */
export interface ActiveShrink {
  count: number;
  /** Whether every reader knows of it, so that entries may move. */
  isUsable: boolean;
}

/** The number of shards of each family of index keys, read from the table and refreshed in the background. */
export class ShardMap implements Shards {
  readonly #options: ShardMapOptions;
  readonly #now: () => ClockTimes;
  readonly #identity: TableIdentity;
  readonly #families = new Map<string, KnownFamily>();
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

  get #ageMs(): number {
    return this.#now().steady - this.#readAt;
  }

  /** A writer that cannot read the map uses shard 0, which every reader queries. */
  toWrite(family: ShardFamily): number {
    this.#open();
    if (this.#ageMs > maxWriterStalenessMs) return 1;
    return familyShardsToWrite(this.#known(family), this.#now().steady);
  }

  async toRead(family: ShardFamily): Promise<number> {
    return familyShards(await this.#fresh(family));
  }

  async readPlan(family: ShardFamily): Promise<ReadPlan> {
    return readPlanOf(await this.#fresh(family), this.#now().steady);
  }

  /** The shards of a family, including shards that are not yet active, as far as this process knows. */
  known(family: ShardFamily): number {
    return familyShards(this.#known(family));
  }

  /**
   * Adds shards to a family, with one conditional write, so that one of several processes succeeds; this cancels a
   * shrink. Does nothing if the last growth is too recent, if writers use the maximum, or if another process was first.
   */
  async grow(family: ShardFamily, { demand, sustainedMs }: Growth): Promise<void> {
    const { wall, steady } = this.#now();
    const known = this.#known(family);
    const shrink = activeShrink(known);
    const used = shrink === undefined ? known.epochs : [...known.epochs, shrink];
    const settled = Math.max(...used.map(({ usableAt }) => usableAt + sustainedMs));
    const { before, count, epochs } = grownFamily(known, { demand, now: wall });
    if (steady < settled || before >= maxShards) return;
    if (!(await this.#write(family, known, { ...known, epochs }))) return;
    this.#options.metrics.grown(familyLabel(family));
    const name = encodeTuple(family);
    this.#options.log.warn(
      { family: name, before, shards: count },
      'hot key family: adding shards',
    );
  }

  /** The shrink of a family; undefined where there is none, or a growth has cancelled it. @throws as `toRead` */
  async activeShrink(family: ShardFamily): Promise<ActiveShrink | undefined> {
    const shrink = activeShrink(await this.#fresh(family));
    if (shrink === undefined) return undefined;
    return { count: shrink.count, isUsable: shrink.usableAt <= this.#now().steady };
  }

  /**
   * Makes writers use fewer shards, while readers still query all of them; does nothing where another process has just
   * changed the family.
   */
  async beginShrink(family: ShardFamily, count: number): Promise<void> {
    const known = await this.#fresh(family);
    if (activeShrink(known)?.count === count) return;
    const shrink = begunShrink(known, count, this.#now().wall);
    await this.#write(family, known, { ...known, shrink, version: known.version + 1 });
  }

  /**
   * Makes readers query the lower shards only, unless the shrink is cancelled. To be called once the higher ones are
   * empty and no write to them is in flight.
   */
  async endShrink(family: ShardFamily): Promise<void> {
    const known = await this.#fresh(family);
    const shrink = activeShrink(known);
    if (shrink === undefined) return;
    const ended = { epochs: shrunkEpochs(shrink), version: known.version + 1 };
    await this.#write(family, known, ended);
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

  /** Sends no request unless the last background reads have failed. */
  async #fresh(family: ShardFamily): Promise<KnownFamily> {
    this.#open();
    if (this.#ageMs > maxStalenessMs) await this.#read();
    // The first call may have joined a read that began too long ago.
    if (this.#ageMs > maxStalenessMs) await this.#read();
    if (this.#ageMs > maxStalenessMs) {
      throw new Problem('table-unavailable', 'Reading the shard map takes too long.');
    }
    return this.#known(family);
  }

  async #write(family: ShardFamily, before: KnownFamily, after: FamilyShards): Promise<boolean> {
    try {
      await this.#options.table.update(shardMapKey(family), familyChange(before, after));
      this.#learn(encodeTuple(family), after);
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.item !== undefined) this.#learn(encodeTuple(family), parseFamilyShards(error.item));
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
    if (await this.#identity.read(id, startedAt)) this.#families.clear();
    for (const [name, item] of named) this.#learn(name, parseFamilyShards(item));
    this.#readAt = startedAt;
  }

  #known(family: ShardFamily): KnownFamily {
    return this.#families.get(encodeTuple(family)) ?? unsharded;
  }

  #learn(name: string, stored: FamilyShards): void {
    const known = this.#families.get(name) ?? unsharded;
    const learned = learnFamily(known, stored, this.#now());
    this.#families.set(name, learned);
    const label = familyLabel(decodeTuple(name));
    this.#tellGrowth(label, familyShards(known), familyShards(learned));
    const counts = [...this.#families].map(([each, family]) =>
      familyLabel(decodeTuple(each)) === label ? familyShards(family) : 0,
    );
    this.#options.metrics.shards(label, Math.max(...counts));
  }

  /** What the first read of the map finds is no change. */
  #tellGrowth(family: string, from: number, to: number): void {
    if (from >= to || this.#readAt === -Infinity) return;
    this.#options.onReshard?.({ of: { family }, from, to });
  }
}
