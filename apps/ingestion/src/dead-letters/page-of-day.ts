import { deadLetterPartition, deadLettersSpreadKey, parseKey } from '@engawa/keys';
import { keyOf, parseDeadLetterHead } from '@engawa/model';
import { queryAll } from '@engawa/table';
import { deadLetterShards } from './dead-letter-shards.ts';
import { isExpired } from './is-expired.ts';
import type { DeadLetterHead, Document } from '@engawa/model';
import type { ItemPage, Table } from '@engawa/table';

/** Position in the list of a day: after `after` in this shard, or at its beginning. */
export interface DayPosition {
  shard: number;
  after?: string;
}

/** Dead letters of a day. May be empty although there is a next page. */
export interface DayPage {
  rows: ListedDeadLetter[];
  next: DayPosition | undefined;
}

export interface ListedDeadLetter {
  head: DeadLetterHead;
  position: DayPosition;
  /** Whether a part is missing; not known, and false, if the parts are in other shards. */
  isIncomplete: boolean;
}

export interface PageRequest {
  day: string;
  position: DayPosition;
  limit: number;
  signal: AbortSignal;
}

/**
 * One Query of one shard; another one if the page ends between the parts of a dead letter, and at the end of the first
 * shard a GetItem. Ordered by id, not by time.
 */
export async function pageOfDay(table: Table, request: PageRequest): Promise<DayPage> {
  const { day, limit, signal } = request;
  const { shard, after } = request.position;
  const pk = deadLetterPartition(day, shard);
  const start = after !== undefined && { after: { pk, sk: after } };
  const page = await table.query({ pk, limit, signal, ...start });
  const items = [...page.items, ...(await restOfLast(table, page, signal))];
  const rows: ListedDeadLetter[] = [];
  for (const item of items) {
    if (!isHead(item) || isExpired(item)) continue;
    const head = parseDeadLetterHead(item);
    const state = await stateOf(table, { head, pk, items, signal });
    if (state === 'removed') continue;
    const position = { shard, after: keyOf(item).sk };
    rows.push({ head, position, isIncomplete: state === 'incomplete' });
  }
  return { rows, next: await nextPosition(table, request, { ...page, items }) };
}

/** The further parts of the dead letter within which the page ends: they are not read again with the next page. */
async function restOfLast(
  table: Table,
  { items, next }: ItemPage,
  signal: AbortSignal,
): Promise<Document[]> {
  const last = items.at(-1);
  if (next === undefined || last === undefined) return [];
  const key = parseKey(keyOf(last));
  if (key.item !== 'deadLetter') return [];
  const headItem = items.findLast((item) => isHead(item));
  const head = headItem && parseDeadLetterHead(headItem);
  if (head?.id !== key.letter || head.hasSpreadParts || key.part + 1 >= head.parts) return [];
  const { pk } = keyOf(last);
  const sk = { beginsWith: head.id };
  return queryAll(table, { pk, sk, fields: ['pk', 'sk'], after: next, signal });
}

interface ListedHead {
  head: DeadLetterHead;
  pk: string;
  items: readonly Document[];
  signal: AbortSignal;
}

/** Missing parts are looked up again, consistently: they may have been written, or removed with the head, just now. */
async function stateOf(
  table: Table,
  { head: { id, parts, hasSpreadParts }, pk, items, signal }: ListedHead,
): Promise<'whole' | 'incomplete' | 'removed'> {
  if (parts === 1 || hasSpreadParts) return 'whole';
  if (items.filter((item) => keyOf(item).sk.startsWith(id)).length >= parts) return 'whole';
  const request = { pk, sk: { beginsWith: id }, fields: ['pk', 'sk'], consistent: true, signal };
  const found = await queryAll(table, request);
  if (!found.some(isHead)) return 'removed';
  return found.length < parts ? 'incomplete' : 'whole';
}

/** Shards after the first are read only if a mark says that they are used. */
async function nextPosition(
  table: Table,
  { day, position: { shard }, signal }: PageRequest,
  { items, next }: ItemPage,
): Promise<DayPosition | undefined> {
  // In earlier versions the mark was the last item of the first shard and could end a full page: nothing
  // follows it.
  const isMarked = items.some((item) => parseKey(keyOf(item)).item === 'deadLettersSpread');
  const last = items.at(-1) ?? next;
  if (next !== undefined && last !== undefined && !isMarked) {
    return { shard, after: keyOf(last).sk };
  }
  if (shard + 1 >= deadLetterShards) return undefined;
  if (shard > 0 || isMarked) return { shard: shard + 1 };
  const mark = await table.get(deadLettersSpreadKey(day), { signal });
  return mark && { shard: shard + 1 };
}

function isHead(item: Document): boolean {
  const key = parseKey(keyOf(item));
  return key.item === 'deadLetter' && key.part === 0;
}
