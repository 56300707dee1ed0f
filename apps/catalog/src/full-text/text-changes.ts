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
  /** Start of the changes to read (epoch milliseconds); default: all. */
  from?: number | undefined;
}

/**
 * A change is found by its writer's time: that clock may be some seconds off, and the change is stored, and visible in
 * the index, somewhat later. So each poll overlaps the previous one by `overlapMs`, and occasionally by
 * `longOverlapMs`.
 */
const overlapMs = 10_000;
const longOverlapMs = 120_000;
const longOverlapEveryMs = 30_000;
const rowsPerQuery = 1000;
/** Remembered applied changes; an evicted one is applied again. */
const maxApplied = 200_000;

export const rebuildKind = 'TEXT-REBUILD';
const rebuildKey = catalogTaskKey(rebuildKind);

/** The item that requests a rebuild: one of the changes, so that every reader of changes finds it. */
export function rebuildItem(askedAt: number): Document {
  return {
    ...rebuildKey,
    gsi2pk: textChangePartition(0),
    gsi2sk: textChangesFrom(askedAt),
    // A replica with a longer gap rebuilds anyway.
    ttl: Math.ceil(askedAt / 1000) + 86_400,
  };
}

interface ChangePoll {
  began: number;
  from: string | undefined;
  /** The next page of each shard; completed shards are removed. */
  left: Map<number, PageKey | undefined>;
}

/** Reads the change feed of texts, and remembers its position: usually one Query per poll and shard. */
export class TextChanges {
  readonly #options: TextChangesOptions;
  #asOf: number | undefined;
  #rebuildRequested: string | undefined;
  #poll: ChangePoll | undefined;
  #lastLong = 0;
  /** The last applied change of each entity, by its key, oldest first. */
  readonly #applied = new Map<string, { changedAt: number; print: string }>();

  constructor(options: TextChangesOptions) {
    this.#options = options;
    this.#asOf = options.from;
  }

  /**
   * All changes stored by this time have been applied (epoch milliseconds); undefined before the
   * first poll has ended.
   */
  get asOf(): number | undefined {
    return this.#asOf;
  }

  /** Identifies the last rebuild request. */
  get rebuildRequested(): string | undefined {
    return this.#rebuildRequested;
  }

  /**
   * Applies one more page of each shard. After a rejection, the next call repeats the page.
   * @returns whether this poll is complete: the next call starts another one
   */
  async step(writer: TextWriter, signal: AbortSignal): Promise<boolean> {
    const poll = (this.#poll ??= await this.#begin());
    const pages = await Promise.all(
      [...poll.left].map(async ([shard, after]) => {
        const page = await this.#options.table.query({
          index: 'gsi2',
          pk: textChangePartition(shard),
          ...(poll.from !== undefined && { sk: { from: poll.from } }),
          ...(after !== undefined && { after }),
          limit: rowsPerQuery,
          signal,
        });
        return { shard, page };
      }),
    );
    const rows = pages.flatMap(({ page }) => page.items).flatMap((item) => this.#parse(item));
    await this.#apply(rows, writer, poll.began);
    for (const { shard, page } of pages) {
      if (page.next === undefined) poll.left.delete(shard);
      else poll.left.set(shard, page.next);
    }
    if (poll.left.size > 0) return false;
    this.#end(poll);
    return true;
  }

  /**
   * The number of shards is read once per poll, after the poll has begun. All changes stored before are in those
   * shards, since writers use a new shard only after readers know it. A row that is stored later, in a new shard or
   * moved to one, has a later time, since rows are only written with a change; the next poll finds it, because it
   * starts a little before this one in all shards. So a new shard has nothing older, apart from clock differences and
   * slow writes as in any shard, and needs no position of its own.
   */
  async #begin(): Promise<ChangePoll> {
    // After the previous poll, even if the clock went backwards, or that was another replica's.
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
    this.#poll = undefined;
    this.#asOf = began;
    // No poll reads these again.
    for (const [key, { changedAt }] of this.#applied) {
      if (changedAt < began - 2 * longOverlapMs) this.#applied.delete(key);
    }
  }

  /** A row that cannot be parsed is from a newer release, and skipped. */
  #parse(item: Document): TextRow[] {
    if (item['pk'] === rebuildKey.pk) {
      this.#rebuildRequested = item['gsi2sk'] as string;
      return [];
    }
    try {
      return [parseTextRow(item)];
    } catch (error) {
      this.#options.log.warn({ err: error }, 'full-text change skipped: its item is invalid');
      return [];
    }
  }

  async #apply(rows: readonly TextRow[], writer: TextWriter, readAt: number): Promise<void> {
    const changes = rows.map((row) => {
      const key = encodeTuple([row.entity.type, row.entity.id]);
      return { row, key, print: fingerprint(row) };
    });
    // Compares for equality, not order: the clocks of two writers may differ by more than the time
    // between their changes.
    const newChanges = changes.filter(({ row, key, print }) => {
      const known = this.#applied.get(key);
      return known?.changedAt !== row.changedAt || known.print !== print;
    });
    if (newChanges.length === 0) return;
    await writer.apply(
      newChanges.map(({ row }) => row),
      readAt,
    );
    const readAgain = Date.now() - 2 * longOverlapMs;
    for (const { row, key, print } of newChanges) {
      this.#applied.delete(key);
      if (row.changedAt >= readAgain) this.#applied.set(key, { changedAt: row.changedAt, print });
    }
    for (const key of this.#applied.keys()) {
      if (this.#applied.size <= maxApplied) break;
      this.#applied.delete(key);
    }
  }
}

/** Tells two changes of one entity in the same millisecond apart. Sorted, since DynamoDB returns maps in any order. */
function fingerprint({ texts, values }: TextRow): string {
  if (texts === undefined) return '';
  const all = [inOrder(texts), values === undefined ? null : inOrder(values)];
  return hash('sha256', JSON.stringify(all), 'base64');
}

function inOrder<Value>(entries: ReadonlyMap<string, Value>): [string, Value][] {
  return [...entries].toSorted(([left], [right]) => (left < right ? -1 : 1));
}
