import { hash } from 'node:crypto';
import {
  catalogTaskKey,
  encodeTuple,
  textChangeFamily,
  textChangePartition,
  textChangesFrom,
} from '@engawa/keys';
import { parseTextRow } from '@engawa/model';
import type { Document, TextRow } from '@engawa/model';
import type { PageKey, Shards, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { TextWriter } from './text-index.ts';

export interface TextChangesOptions {
  table: Table;
  shards: Shards;
  log: Logger;
  /** Everything before is known already (epoch milliseconds); without it, it is read from the beginning on. */
  from?: number | undefined;
}

/**
 * A change is found by when its writer says that it was made: by a clock that is some seconds off, a while before it was
 * stored, and another while before the index shows it. So each look goes back a little behind the one before, and one now
 * and then goes further. Milliseconds.
 */
const overlapMs = 10_000;
const longOverlapMs = 120_000;
const longOverlapEveryMs = 30_000;
const rowsPerQuery = 1000;
/** Changes that are known to be applied: forgetting one costs applying it again. */
const maxApplied = 200_000;

export const rebuildKind = 'TEXT-REBUILD';
const rebuildKey = catalogTaskKey(rebuildKind);

/** The item through which everybody who reads the changes is asked to read all of them again: one change among them. */
export function rebuildItem(askedAt: number): Document {
  return {
    ...rebuildKey,
    gsi2pk: textChangePartition(0),
    gsi2sk: textChangesFrom(askedAt),
    // Whoever has not seen it by then has long read all of it again anyway.
    ttl: Math.ceil(askedAt / 1000) + 86_400,
  };
}

interface ChangePoll {
  began: number;
  from: string | undefined;
  /** Where each shard goes on; those that are read to their end are not in it. */
  left: Map<number, PageKey | undefined>;
}

/** What changes in the texts of entities, read by one who remembers how far it got: a Query a look and shard, as a rule. */
export class TextChanges {
  readonly #options: TextChangesOptions;
  #asOf: number | undefined;
  #rebuildAsked: string | undefined;
  #look: ChangePoll | undefined;
  #lastLong = 0;
  /** What was last applied of an entity, by its key, the oldest first. */
  readonly #applied = new Map<string, { changedAt: number; print: string }>();

  constructor(options: TextChangesOptions) {
    this.#options = options;
    this.#asOf = options.from;
  }

  /** Everything that was stored by then has been applied (epoch milliseconds); nothing before the first look has ended. */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** Names the last request to read all of it again; another name is another request. */
  get rebuildAsked(): string | undefined {
    return this.#rebuildAsked;
  }

  /**
   * Applies one more page of each shard. Where it rejects, the next call does the same again.
   * @returns whether this look has come to its end: the next call begins another one
   */
  async step(writer: TextWriter, signal: AbortSignal): Promise<boolean> {
    const look = (this.#look ??= await this.#begin());
    const pages = await Promise.all(
      [...look.left].map(async ([shard, after]) => {
        const page = await this.#options.table.query({
          index: 'gsi2',
          pk: textChangePartition(shard),
          ...(look.from !== undefined && { sk: { from: look.from } }),
          ...(after !== undefined && { after }),
          limit: rowsPerQuery,
          signal,
        });
        return { shard, page };
      }),
    );
    const rows = pages.flatMap(({ page }) => page.items).flatMap((item) => this.#parse(item));
    await this.#apply(rows, writer, look.began);
    for (const { shard, page } of pages) {
      if (page.next === undefined) look.left.delete(shard);
      else look.left.set(shard, page.next);
    }
    if (look.left.size > 0) return false;
    this.#end(look);
    return true;
  }

  /**
   * The shards are counted once a look, after it has begun. What was stored by then is in those that are counted, for
   * nobody writes to one that a reader may not know. What is stored later, in a new shard or moved there from another
   * one behind our back, says that it was changed later, since a row is only ever written with a change: it is for the
   * next look, which goes back to where this one began, and a little further, in all shards that there are by then. And
   * a new shard has nothing that is older, but for clocks that differ and writes that took long, as in any shard. So it
   * needs no position of its own, and is not read from its beginning.
   */
  async #begin(): Promise<ChangePoll> {
    // Behind the last one, whatever this clock does, or whoever's that was.
    const began = Math.max(Date.now(), (this.#asOf ?? 0) + 1);
    const count = await this.#options.shards.toRead(textChangeFamily);
    const left = new Map<number, PageKey | undefined>();
    for (let shard = 0; shard < count; shard++) left.set(shard, undefined);
    if (this.#asOf === undefined) return { began, from: undefined, left };
    const isLong = began - this.#lastLong >= longOverlapEveryMs;
    if (isLong) this.#lastLong = began;
    const from = this.#asOf - (isLong ? longOverlapMs : overlapMs);
    return { began, from: textChangesFrom(from), left };
  }

  #end({ began }: ChangePoll): void {
    this.#look = undefined;
    this.#asOf = began;
    // Nobody reads them again.
    for (const [key, { changedAt }] of this.#applied) {
      if (changedAt < began - 2 * longOverlapMs) this.#applied.delete(key);
    }
  }

  /** One that a newer version left is for that to read. */
  #parse(item: Document): TextRow[] {
    if (item['pk'] === rebuildKey.pk) {
      this.#rebuildAsked = item['gsi2sk'] as string;
      return [];
    }
    try {
      return [parseTextRow(item)];
    } catch (error) {
      this.#options.log.warn({ err: error }, 'full-text change is unreadable');
      return [];
    }
  }

  async #apply(rows: readonly TextRow[], writer: TextWriter, readAt: number): Promise<void> {
    const changes = rows.map((row) => {
      const key = encodeTuple([row.entity.type, row.entity.id]);
      return { row, key, print: fingerprint(row) };
    });
    // Not by what is newer: the clocks of two writers may differ by more than what lies between their changes.
    const fresh = changes.filter(({ row, key, print }) => {
      const known = this.#applied.get(key);
      return known?.changedAt !== row.changedAt || known.print !== print;
    });
    if (fresh.length === 0) return;
    await writer.apply(
      fresh.map(({ row }) => row),
      readAt,
    );
    const readAgain = Date.now() - 2 * longOverlapMs;
    for (const { row, key, print } of fresh) {
      this.#applied.delete(key);
      if (row.changedAt >= readAgain) this.#applied.set(key, { changedAt: row.changedAt, print });
    }
    for (const key of this.#applied.keys()) {
      if (this.#applied.size <= maxApplied) break;
      this.#applied.delete(key);
    }
  }
}

/** Two changes of one entity may be of the same millisecond. DynamoDB gives the entries of a map in any order. */
function fingerprint({ texts, values }: TextRow): string {
  if (texts === undefined) return '';
  const all = [inOrder(texts), values === undefined ? null : inOrder(values)];
  return hash('sha256', JSON.stringify(all), 'base64');
}

function inOrder<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].toSorted(([left], [right]) => (left < right ? -1 : 1));
}
