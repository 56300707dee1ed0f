import { deadLetterKey, deadLetterPartition, deadLettersSpreadKey, parseKey } from '@engawa/keys';
import {
  deadLetterDay,
  deadLetterPartBytes,
  keyOf,
  parseDeadLetterHead,
  partDocuments,
  wholeDeadLetter,
} from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { deadLetterShards, deadLetterShardsOf, partShard } from './dead-letter-shards.ts';
import type { Key } from '@engawa/keys';
import type { DeadLetter, DeadLetterHead, Document, PartsOfReadings } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

export interface DeadLettersOptions {
  table: Table;
}

/** Position in the list of a day: after `after` in this shard, or at its beginning. */
export interface DayPosition {
  shard: number;
  after?: string;
}

/** Dead letters of a day, from one Query. May be empty although there is a next page. */
export interface DayPage {
  rows: ListedDeadLetter[];
  next: DayPosition | undefined;
}

export interface ListedDeadLetter {
  head: DeadLetterHead;
  position: DayPosition;
}

/** A dead letter with its shard. Its payload may be large, so it is read when needed. */
export interface FoundDeadLetter {
  head: DeadLetterHead;
  shard: number;
  /** The item of the head, with the first part of the payload. */
  item: Document;
}

/** A range of a payload, in bytes: `from` is included, `to` is not. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Attributes that a dead letter may lack, depending on its reason. */
const partsOfReason = ['indexes', 'detailCode', 'partlyStored', 'leftOut'] as const;

/** The dead letters in the table: to list, read, update and remove. */
export class DeadLetters {
  readonly #options: DeadLettersOptions;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
  }

  /** One Query of one shard; at the end of the first shard also a GetItem. Ordered by id, not by time. */
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
        position: { shard, after: keyOf(item).sk },
      }));
    return { rows, next: await this.#next({ day, shard, items, next, signal }) };
  }

  /** A GetItem for each shard that may hold it. Undefined if it does not exist. */
  async find(id: string, signal: AbortSignal): Promise<FoundDeadLetter | undefined> {
    const day = deadLetterDay(id);
    if (day === undefined) return undefined;
    for (const shard of deadLetterShardsOf(id)) {
      const key = deadLetterKey(day, shard, id);
      const item = await this.#options.table.get(key, { consistent: true, signal });
      if (item === undefined || isExpired(item)) continue;
      return { head: parseDeadLetterHead(item), shard, item };
    }
    return undefined;
  }

  /** Whether it has not been removed since it was found. */
  async exists(found: FoundDeadLetter, signal: AbortSignal): Promise<boolean> {
    const head = await this.#options.table.get(partKey(found, 0), { consistent: true, signal });
    return head !== undefined;
  }

  /** A GetItem for each further part. Undefined if a part is missing: the dead letter then can only expire. */
  async payload(
    found: FoundDeadLetter,
    { from, to }: ByteRange,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    const { head, item } = found;
    const pieces: Uint8Array[] = [];
    const end = Math.min(to, head.bytes);
    for (let part = Math.floor(from / deadLetterPartBytes); ; part++) {
      const start = part * deadLetterPartBytes;
      if (start >= end) return Buffer.concat(pieces);
      const key = partKey(found, part);
      const holder = part === 0 ? item : await this.#options.table.get(key, { signal });
      const bytes = holder?.['payload'];
      if (!(bytes instanceof Uint8Array)) return undefined;
      pieces.push(bytes.subarray(Math.max(0, from - start), end - start));
    }
  }

  /** The dead letter with its whole payload, for which the caller reserves memory. Undefined as in `payload`. */
  async whole(found: FoundDeadLetter, signal: AbortSignal): Promise<DeadLetter | undefined> {
    const { bytes } = found.head;
    const payload = await this.payload(found, { from: 0, to: bytes }, signal);
    return payload?.length === bytes ? wholeDeadLetter(found.head, payload) : undefined;
  }

  /** Updates the reason of a dead letter. @returns false if it has been removed */
  async update(
    { item }: FoundDeadLetter,
    why: Pick<DeadLetter, 'reason' | 'detail' | 'detailCode' | 'indexes' | keyof PartsOfReadings>,
  ): Promise<boolean> {
    const { reason, detail, detailCode, indexes } = why;
    const kept = { ...item };
    for (const name of partsOfReason) Reflect.deleteProperty(kept, name);
    const updated: Document = {
      ...{ ...kept, reason, detail },
      ...(indexes && { indexes }),
      ...(detailCode && { detailCode: { ...detailCode } }),
      ...partDocuments(why),
    };
    return isMet(this.#options.table.put(updated, { onlyIf: present('pk') }));
  }

  /**
   * Removes the head first: parts without a head are invisible, and expire.
   * @returns whether this call removed it, not another one; false also after a lost response, of which DynamoDB does
   * not tell whose removal it was
   */
  async remove(found: FoundDeadLetter): Promise<boolean> {
    const { table } = this.#options;
    const isRemoved = await isMet(table.delete(partKey(found, 0), { onlyIf: present('pk') }));
    for (let part = 1; part < found.head.parts; part++) {
      await table.delete(partKey(found, part));
    }
    return isRemoved;
  }

  /** Shards after the first are read only if a mark says that they are used. */
  async #next({ day, shard, items, next, signal }: PageEnd): Promise<DayPosition | undefined> {
    // In earlier versions the mark was the last item of the first shard and could end a full page: nothing
    // follows it.
    const isMarked = items.some((item) => parseKey(keyOf(item)).item === 'deadLettersSpread');
    if (next?.['sk'] !== undefined && !isMarked) return { shard, after: next['sk'] };
    if (shard + 1 >= deadLetterShards) return undefined;
    if (shard > 0 || isMarked) return { shard: shard + 1 };
    const mark = await this.#options.table.get(deadLettersSpreadKey(day), { signal });
    return mark && { shard: shard + 1 };
  }
}

/** Whether the condition of a write is met, and the write is done. */
async function isMet(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

interface PageEnd {
  day: string;
  shard: number;
  items: readonly Document[];
  next: PageKey | undefined;
  signal: AbortSignal;
}

function partKey({ head, shard }: FoundDeadLetter, part: number): Key {
  const { id, hasSpreadParts } = head;
  const where = part > 0 && hasSpreadParts ? partShard(id, part) : shard;
  return deadLetterKey(deadLetterDay(id) ?? '', where, id, part);
}

function isHead(item: Document): boolean {
  const key = parseKey(keyOf(item));
  return key.item === 'deadLetter' && key.part === 0;
}

/** DynamoDB deletes an item some days after it has expired. */
function isExpired({ ttl }: Document): boolean {
  return Number(ttl) * 1000 <= Date.now();
}
