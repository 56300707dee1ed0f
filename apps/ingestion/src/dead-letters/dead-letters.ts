import { deadLetterKey, deadLetterPartition, deadLettersSpreadKey, parseKey } from '@engawa/keys';
import {
  deadLetterDay,
  deadLetterPartBytes,
  keyOf,
  parseDeadLetterHead,
  wholeDeadLetter,
} from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { deadLetterShards, deadLetterShardsOf, partShard } from './dead-letter-shards.ts';
import type { Key } from '@engawa/keys';
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

/** Dead letters of a day, from one Query; there may be none in it although there is a next one. */
export interface DayPage {
  rows: ListedDeadLetter[];
  next: DayPosition | undefined;
}

export interface ListedDeadLetter {
  head: DeadLetterHead;
  position: DayPosition;
}

/** A dead letter with where it is. Its payload may be large, so it is read when it is needed. */
export interface FoundDeadLetter {
  head: DeadLetterHead;
  shard: number;
  /** As it is in the table: the head, and the first part of the payload. */
  item: Document;
}

/** A piece of a payload, in bytes: from the first, to before the last. */
export interface ByteRange {
  from: number;
  to: number;
}

/** The dead letters in the table, for people: to look at, to change, to take away. */
export class DeadLetters {
  readonly #options: DeadLettersOptions;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
  }

  /** One Query, of one shard after the other; at the end of the first a GetItem. In the order of ids, which is none of time. */
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

  /** A GetItem for each of the shards that it may be in. Undefined when it is not there. */
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

  /** A GetItem for each further part. Undefined when a part is not there: then nothing can be done but let it expire. */
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

  /** With the whole payload, which is for the caller to have room for. Undefined as `payload` is. */
  async whole(found: FoundDeadLetter, signal: AbortSignal): Promise<DeadLetter | undefined> {
    const { bytes } = found.head;
    const payload = await this.payload(found, { from: 0, to: bytes }, signal);
    return payload?.length === bytes ? wholeDeadLetter(found.head, payload) : undefined;
  }

  /** Notes why the dead letter is still one. It does not come back if somebody has taken it away meanwhile. */
  async update(
    { item }: FoundDeadLetter,
    { reason, detail, indexes }: Pick<DeadLetter, 'reason' | 'detail' | 'indexes'>,
  ): Promise<void> {
    const updated: Document = { ...item, reason, detail };
    delete updated['indexes'];
    if (indexes !== undefined) updated['indexes'] = indexes;
    try {
      await this.#options.table.put(updated, { onlyIf: present('pk') });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** Its head first: what is left of a dead letter without one is nothing to be seen, and expires. */
  async remove(found: FoundDeadLetter): Promise<void> {
    for (let part = 0; part < found.head.parts; part++) {
      await this.#options.table.delete(partKey(found, part));
    }
  }

  /** Behind the first shard there are others only where a mark says so. */
  async #next({ day, shard, items, next, signal }: PageEnd): Promise<DayPosition | undefined> {
    // Until now the mark was the last item of the first shard, and could end a full page: nothing is behind it then.
    const isMarked = items.some((item) => parseKey(keyOf(item)).item === 'deadLettersSpread');
    if (next?.['sk'] !== undefined && !isMarked) return { shard, after: next['sk'] };
    if (shard + 1 >= deadLetterShards) return undefined;
    if (shard > 0 || isMarked) return { shard: shard + 1 };
    const mark = await this.#options.table.get(deadLettersSpreadKey(day), { signal });
    return mark && { shard: shard + 1 };
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

/** DynamoDB takes an item away some days after it has expired. */
function isExpired({ ttl }: Document): boolean {
  return Number(ttl) * 1000 <= Date.now();
}
