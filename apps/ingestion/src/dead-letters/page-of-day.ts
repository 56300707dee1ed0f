import { compareBytes, deadLettersSpreadKey, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { queryAll } from '@engawa/table';
import { deadLetterShards } from './dead-letter-shards.ts';
import { ShardOfDay } from './shard-of-day.ts';
import type { RequestBudget } from '@engawa/http';
import type { DeadLetterHead, Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DeadLetterFilter } from './dead-letter-filter.ts';
import type { DayOrder, ShardLetter, ShardRequest } from './shard-of-day.ts';

export interface PageRequest extends Omit<ShardRequest, 'shard' | 'items'> {
  limit: number;
  matches: DeadLetterFilter;
  budget: Pick<RequestBudget, 'charge' | 'isSpent'>;
}

/** Dead letters of a day. May be short or empty although there is a next page. */
export interface DayPage {
  rows: ListedDeadLetter[];
  /** Id of the dead letter after which the next page begins; absent on the last page. */
  after: string | undefined;
}

export interface ListedDeadLetter {
  head: DeadLetterHead;
  /** Whether a part is missing; not known, and false, if the parts are in other shards. */
  isIncomplete: boolean;
}

/** How many items the first Queries of all shards read, for each dead letter of the page. */
const surplus = 4;

/**
 * The dead letters of a day in the order of their ids, which is that of their receipt. A GetItem that says whether the
 * day has more shards than the first; a Query per shard, and more Queries until the page is full or the budget is
 * spent.
 */
export async function pageOfDay(table: Table, request: PageRequest): Promise<DayPage> {
  const { limit, matches, budget } = request;
  const shards = await shardsOf(table, request);
  const rows: ListedDeadLetter[] = [];
  let { after } = request;
  while (rows.length < limit) {
    await readBehind(shards, budget);
    const letter = takeFirst(shards, request.order);
    if (letter === undefined) return { rows, after: undefined };
    const { head } = letter;
    // After a lost response of DynamoDB, a dead letter may be in two shards.
    const isRepeated = head.id === after;
    after = head.id;
    if (!isRepeated && !letter.isExpired && matches(head)) {
      const state = await stateOf(table, letter, request.signal);
      if (state !== 'removed') rows.push({ head, isIncomplete: state === 'incomplete' });
    }
    if (budget.isSpent && shards.some((shard) => shard.isBehind)) break;
  }
  return { rows, after: shards.every((shard) => shard.isAtEnd) ? undefined : after };
}

/** Shards after the first are read only if a mark says that they are used. */
async function shardsOf(table: Table, request: PageRequest): Promise<ShardOfDay[]> {
  const { day, limit, budget, signal } = request;
  const first = new ShardOfDay(table, { ...request, shard: 0, items: limit + 1 });
  const [mark] = await Promise.all([
    table.get(deadLettersSpreadKey(day), { signal }),
    readBehind([first], budget),
  ]);
  if (mark === undefined) return [first];
  const items = 1 + Math.ceil((surplus * limit) / deadLetterShards);
  const others = Array.from(
    { length: deadLetterShards - 1 },
    (_, index) => new ShardOfDay(table, { ...request, shard: index + 1, items }),
  );
  return [first, ...others];
}

async function readBehind(
  shards: readonly ShardOfDay[],
  budget: PageRequest['budget'],
): Promise<void> {
  const behind = shards.filter((shard) => shard.isBehind);
  for (const units of await Promise.all(behind.map((shard) => shard.read()))) budget.charge(units);
}

/** The next dead letter of all shards, none of which is behind. */
function takeFirst(shards: readonly ShardOfDay[], order: DayOrder): ShardLetter | undefined {
  let [next] = shards;
  for (const shard of shards) if (isBefore(shard, next, order)) next = shard;
  return next?.take();
}

function isBefore(left: ShardOfDay, right: ShardOfDay | undefined, order: DayOrder): boolean {
  const [id, otherId] = [left.first?.head.id, right?.first?.head.id];
  if (id === undefined || otherId === undefined) return id !== undefined;
  const difference = compareBytes(id, otherId);
  return order === 'ascending' ? difference < 0 : difference > 0;
}

/** Missing parts are looked up again, consistently: they may have been written, or removed with the head, just now. */
async function stateOf(
  table: Table,
  { head: { id, parts, hasSpreadParts }, pk, items }: ShardLetter,
  signal: AbortSignal,
): Promise<'whole' | 'incomplete' | 'removed'> {
  if (hasSpreadParts || items >= parts) return 'whole';
  const request = { pk, sk: { beginsWith: id }, fields: ['pk', 'sk'], consistent: true, signal };
  const found = await queryAll(table, request);
  if (!found.some(isHead)) return 'removed';
  return found.length < parts ? 'incomplete' : 'whole';
}

function isHead(item: Document): boolean {
  const key = parseKey(keyOf(item));
  return key.item === 'deadLetter' && key.part === 0;
}
