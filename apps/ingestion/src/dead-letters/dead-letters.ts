import { invariant } from '@engawa/errors';
import { deadLetterKey } from '@engawa/keys';
import {
  deadLetterDay,
  deadLetterPartBytes,
  parseDeadLetterHead,
  partDocuments,
  wholeDeadLetter,
} from '@engawa/model';
import { ConditionFailed, present } from '@engawa/table';
import { deadLetterShardsOf, partShard } from './dead-letter-shards.ts';
import { isExpired } from './is-expired.ts';
import { pageOfDay } from './page-of-day.ts';
import type { Key } from '@engawa/keys';
import type { DeadLetter, DeadLetterHead, Document, PartsOfReadings } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DayPage, PageRequest } from './page-of-day.ts';

export interface DeadLettersOptions {
  table: Table;
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

/** The bytes of a range of a payload. */
export interface PayloadRange {
  bytes: Buffer;
  /** Whether it ends before a missing part. */
  isCut: boolean;
}

/** Attributes that a dead letter may lack, depending on its reason. */
const partsOfReason = ['indexes', 'detailCode', 'partlyStored', 'leftOut'] as const;

/** The dead letters in the table: to list, read, update and remove. */
export class DeadLetters {
  readonly #options: DeadLettersOptions;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
  }

  /** As `pageOfDay`. */
  page(request: PageRequest): Promise<DayPage> {
    return pageOfDay(this.#options.table, request);
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

  /**
   * A GetItem for each further part. Undefined if the dead letter has been removed since it was found: its parts are
   * removed after its head.
   */
  async payload(
    found: FoundDeadLetter,
    { from, to }: ByteRange,
    signal: AbortSignal,
  ): Promise<PayloadRange | undefined> {
    const { head, item } = found;
    const pieces: Uint8Array[] = [];
    const end = Math.min(to, head.bytes);
    for (let part = Math.floor(from / deadLetterPartBytes); ; part++) {
      const start = part * deadLetterPartBytes;
      if (start >= end) return { bytes: Buffer.concat(pieces), isCut: false };
      const holder = part === 0 ? item : await this.#part(found, part, signal);
      const bytes = holder?.['payload'];
      if (!(bytes instanceof Uint8Array)) {
        const cut = { bytes: Buffer.concat(pieces), isCut: true };
        return (await this.#exists(found, signal)) ? cut : undefined;
      }
      pieces.push(bytes.subarray(Math.max(0, from - start), end - start));
    }
  }

  /**
   * The dead letter with its whole payload, for which the caller reserves memory. `incomplete` if a part is missing:
   * the dead letter then can only be discarded, or expire. Undefined as in `payload`.
   */
  async whole(
    found: FoundDeadLetter,
    signal: AbortSignal,
  ): Promise<DeadLetter | 'incomplete' | undefined> {
    const { bytes } = found.head;
    const range = await this.payload(found, { from: 0, to: bytes }, signal);
    if (range === undefined) return undefined;
    return range.bytes.length === bytes ? wholeDeadLetter(found.head, range.bytes) : 'incomplete';
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

  /** Strongly consistent if it is missing: it may have been written just now. */
  async #part(found: FoundDeadLetter, part: number, signal: AbortSignal) {
    const { table } = this.#options;
    const key = partKey(found, part);
    return (await table.get(key, { signal })) ?? table.get(key, { consistent: true, signal });
  }

  async #exists(found: FoundDeadLetter, signal: AbortSignal): Promise<boolean> {
    const head = await this.#options.table.get(partKey(found, 0), { consistent: true, signal });
    return head !== undefined;
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

function partKey({ head, shard }: FoundDeadLetter, part: number): Key {
  const { id, hasSpreadParts } = head;
  const where = part > 0 && hasSpreadParts ? partShard(id, part) : shard;
  const day = invariant(deadLetterDay(id), 'the id of a stored dead letter has its day');
  return deadLetterKey(day, where, id, part);
}
