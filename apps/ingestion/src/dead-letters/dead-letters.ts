import { deadLetterKey, deadLetterPartition, parseKey } from '@engawa/keys';
import {
  deadLetterDay,
  deadLetterItems,
  keyOf,
  parseDeadLetter,
  parseDeadLetterHead,
} from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { letterShards, letterShardsOf } from './letter-shards.ts';
import type { DeadLetter, DeadLetterHead, Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

export interface DeadLettersOptions {
  table: Table;
}

/** Where in the list of a day to go on: behind `after` in this shard, or at its beginning. */
export interface DayPosition {
  shard: number;
  after?: string;
}

/** Letters of a day, from one Query; there may be none in it although there is a next one. */
export interface DayPage {
  rows: DeadLetterRow[];
  next: DayPosition | undefined;
}

export interface DeadLetterRow {
  head: DeadLetterHead;
  position: DayPosition;
}

/** A letter with where it is. */
export interface FoundLetter {
  letter: DeadLetter;
  shard: number;
  parts: number;
}

/** The dead letters in the table, for people: to look at, to change, to take away. */
export class DeadLetters {
  readonly #options: DeadLettersOptions;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
  }

  /** One Query, of one shard after the other. In the order of their ids, which is none: an id is a hash. */
  async page(
    day: string,
    { shard, after }: DayPosition,
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<DayPage> {
    const pk = deadLetterPartition(day, shard);
    const { items, next } = await this.#options.table.query({
      pk,
      limit,
      signal,
      ...(after !== undefined && { after: { pk, sk: after } }),
    });
    const rows = items
      .filter((item) => isHead(item) && !isExpired(item))
      .map((item) => ({
        head: parseDeadLetterHead(item),
        position: { shard, after: item['sk'] as string }, // a key, so a text
      }));
    return { rows, next: nextOf(shard, items, next) };
  }

  /**
   * The whole letter; a Query a megabyte, and one more where the letter is in the second of the shards that it may be in.
   * Undefined when it is not there, or not whole.
   */
  async find(id: string, signal: AbortSignal): Promise<FoundLetter | undefined> {
    const day = deadLetterDay(id);
    if (day === undefined) return undefined;
    for (const shard of letterShardsOf(id)) {
      const items = await this.#itemsOf(id, deadLetterPartition(day, shard), signal);
      const [head] = items;
      if (head === undefined || !isHead(head) || isExpired(head)) continue;
      const letter = wholeOf(items);
      return letter && { letter, shard, parts: items.length };
    }
    return undefined;
  }

  /** Notes why the letter is still one. It does not come back if somebody has taken it away meanwhile. */
  async update(
    { letter, shard }: FoundLetter,
    why: Pick<DeadLetter, 'reason' | 'detail' | 'indexes'>,
  ): Promise<void> {
    const [head] = deadLetterItems({ ...letter, indexes: undefined, ...why }, shard);
    try {
      await this.#options.table.put(head, { onlyIf: present('pk') });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** Its head first: what is left of a letter without one is nothing to be seen, and expires. */
  async remove({ letter: { id }, shard, parts }: FoundLetter): Promise<void> {
    const day = deadLetterDay(id) ?? '';
    for (let part = 0; part < parts; part++) {
      await this.#options.table.delete(deadLetterKey(day, shard, id, part));
    }
  }

  async #itemsOf(id: string, pk: string, signal: AbortSignal): Promise<Document[]> {
    const items: Document[] = [];
    let after: PageKey | undefined;
    do {
      const page = await this.#options.table.query({
        pk,
        sk: { beginsWith: id },
        consistent: true,
        signal,
        ...(after !== undefined && { after }),
      });
      items.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return items;
  }
}

/** Behind the first shard there are others only where that one says so. */
function nextOf(
  shard: number,
  items: readonly Document[],
  next: PageKey | undefined,
): DayPosition | undefined {
  // The mark is the last of its shard, and may end a full page: then nothing is behind it, although it says where to go on.
  const isMarked = items.some((item) => parseKey(keyOf(item)).item === 'deadLettersSpread');
  if (next?.['sk'] !== undefined && !isMarked) return { shard, after: next['sk'] };
  return (shard > 0 || isMarked) && shard + 1 < letterShards ? { shard: shard + 1 } : undefined;
}

/** Undefined when a part of it is not there any more: then there is nothing to be done about it but to let it expire. */
function wholeOf(items: readonly Document[]): DeadLetter | undefined {
  try {
    return parseDeadLetter(items);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function isHead(item: Document): boolean {
  const key = parseKey(keyOf(item));
  return key.item === 'deadLetter' && key.part === 0;
}

/** DynamoDB takes an item away some days after it has expired. */
function isExpired({ ttl }: Document): boolean {
  return Number(ttl) * 1000 <= Date.now();
}
