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
} from '@engawa/keys';
import { epochDocuments, parseEpochs } from '@engawa/model';
import { absent, equal } from '../items/expression.ts';
import { queryAll } from '../read/pages.ts';
import { ConditionFailed } from '../errors/write-errors.ts';
import type { KnownEpoch, Moment, ShardEpoch, ShardFamily } from '@engawa/keys';
import type { Logger } from 'pino';
import type { QueryTarget } from '../read/pages.ts';
import type { Table } from '../table.ts';
import type { ShardMetrics } from './shard-metrics.ts';
import type { Shards } from './shards.ts';

export interface ShardMapOptions {
  table: Pick<Table, 'query' | 'update'>;
  metrics: ShardMetrics;
  log: Logger;
  now?: () => Moment;
}

export interface Growth {
  /** How often what is wanted of its hottest key goes into what one partition takes. */
  demand: number;
  /** Milliseconds for which it has to be hot with the keys that it has. */
  sustained: number;
}

/** Milliseconds between two reads of the map: well within a reader's belief. */
const interval = 2000;

/** No index has a time of its own: what an item's index key says is of now. */
const always = Infinity;

/** How many shards each family of index keys has, as the table says, for whoever writes or asks for them. */
export class ShardMap implements Shards {
  readonly #options: ShardMapOptions;
  readonly #now: () => Moment;
  #epochs = new Map<string, KnownEpoch[]>();
  /** When the read that is believed began, on the clock that never goes back. */
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ShardMapOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => ({ wall: Date.now(), steady: performance.now() }));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  get #isBelieved(): boolean {
    return this.#now().steady - this.#readAt <= maxStalenessMs;
  }

  toWrite(family: ShardFamily): number {
    this.#open();
    return shardsToWrite(this.#known(family), always, this.#now().steady);
  }

  /** Without a request, but where the last reads of the map have failed. */
  async toRead(family: ShardFamily): Promise<number> {
    this.#open();
    if (!this.#isBelieved) await this.#read();
    // It may have joined a read that began long ago.
    if (!this.#isBelieved) await this.#read();
    if (!this.#isBelieved) {
      throw new Problem('table-unavailable', 'The shard map takes too long to be read.');
    }
    return shardsToRead(this.#known(family), always);
  }

  /** How many shards a family has or is about to have, as far as is known here. */
  known(family: ShardFamily): number {
    return shardCountAt(this.#known(family), always);
  }

  /**
   * Gives a family more shards, by one conditional write that any process may win. Nothing where the last growth has not
   * been there for long enough, where there are as many as there can be, or where another process was first.
   */
  async grow(family: ShardFamily, { demand, sustained }: Growth): Promise<void> {
    const { wall, steady } = this.#now();
    const known = this.#known(family);
    const settled = Math.max(...known.map(({ usableAt }) => usableAt + sustained));
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

  /** Who uses the map has it read, again and again until it is closed. */
  #open(): void {
    if (this.#timer !== undefined) return;
    const read = (): void => {
      this.#read().catch((error: unknown) => {
        this.#options.log.debug({ err: error }, 'reading the shard map failed');
      });
    };
    this.#timer = setInterval(read, interval).unref();
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

  /** Those who ask at the same time share one reading. */
  #read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  /** A Query a megabyte; consistent, so that what it says is of when it began at the earliest. */
  async #readAll(): Promise<void> {
    const startedAt = this.#now().steady;
    const { table, metrics } = this.#options;
    const counted: QueryTarget = {
      query: (request) => table.query(request).finally(() => metrics.mapRead()),
    };
    const items = await queryAll(counted, { pk: shardMapPartition, consistent: true });
    for (const item of items) {
      this.#learnNamed(item['sk'] as string, parseEpochs(item['epochs'])); // a key, so a text
    }
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
    // An answer may come late: what was known already is not forgotten.
    if (epochs.length < known.length) return;
    this.#epochs.set(name, learnEpochs(known, epochs, this.#now()));
    const label = familyLabel(decodeTuple(name));
    const counts = [...this.#epochs].map(([each, known]) =>
      familyLabel(decodeTuple(each)) === label ? shardCountAt(known, always) : 0,
    );
    this.#options.metrics.shards(label, Math.max(...counts));
  }
}
