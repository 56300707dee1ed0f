import { namesWith, hasPrefix, unaccentedRanges } from './name-ranges.ts';
import { queryShards } from './query-shards.ts';
import { compareBytes } from '@engawa/keys';
import { listMatching } from './list-matching.ts';
import type { RequestBudget } from '@engawa/http';
import type { Document } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type {
  MergedPage,
  QueryRequest,
  ShardRow,
  ShardedIndexKeys,
  ShardPage,
  Table,
} from '@engawa/table';
import type { ListRequest } from './list-matching.ts';
import type { NameRange } from './name-ranges.ts';

type SortKeys = NonNullable<QueryRequest['sk']>;

export interface NameListRequest {
  namePrefix?: string | undefined;
  /** Whether the accents of Latin letters do not count in `namePrefix`. */
  ignoreAccents?: boolean | undefined;
  limit: number;
  /** The position after the page before, of the same request. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface NameList<Item> extends ShardedIndexKeys {
  table: Table;
  partition: (shard: number) => string;
  /** The key of the item with this sort key in the list. */
  keyAt: (gsi1sk: string) => Key;
  parse: (item: Document) => Item;
}

export interface NamedRow<Item> extends ShardRow {
  item: Item;
}

/** Sorted by collated name; one Query per shard, or several if accents are ignored. */
export function listByName<Item>(
  list: NameList<Item>,
  question: NameListRequest,
): Promise<MergedPage<NamedRow<Item>>> {
  const { namePrefix, ignoreAccents } = question;
  return namePrefix !== undefined && ignoreAccents === true
    ? listUnaccented(question, namePrefix, (range, asked) => listRange(list, range, asked))
    : listRange(list, namePrefix === undefined ? {} : namesWith(namePrefix), question);
}

function listRange<Item>(
  list: NameList<Item>,
  range: SortKeys,
  question: NameListRequest,
): Promise<MergedPage<NamedRow<Item>>> {
  return queryShards(list, question, (shard, limit) =>
    askShard(list, list.partition(shard), { ...question, range, limit }),
  );
}

async function askShard<Item>(
  { table, keyAt, parse }: NameList<Item>,
  gsi1pk: string,
  { range, limit, after, budget, signal }: NameListRequest & { range: SortKeys },
): Promise<ShardPage<NamedRow<Item>>> {
  const { items, next, units } = await table.query({
    index: 'gsi1',
    pk: gsi1pk,
    sk: range,
    // DynamoDB starts after any key of the right form, whether or not the shard has that item.
    after: after === undefined ? undefined : { ...keyAt(after), gsi1pk, gsi1sk: after },
    limit,
    signal,
  });
  budget.charge(units);
  const rows = items.map((item) => ({
    sortKey: item['gsi1sk'] as string, // the index has only items with this attribute
    item: parse(item),
  }));
  return { rows, readUpTo: next?.['gsi1sk'] };
}

/**
 * The rows whose name has the prefix if the accents of Latin letters are ignored, sorted as in the whole list. No key
 * without accents is stored: names with the first letter of the prefix are read, and names that begin with an accented
 * Latin letter (docs/adr/0135).
 * @param read the rows of a range, from a position within it
 */
async function listUnaccented<Row extends ShardRow, Q extends ListRequest>(
  question: Q,
  prefix: string,
  read: (range: NameRange, asked: Q) => Promise<MergedPage<Row>>,
): Promise<MergedPage<Row>> {
  const { limit, after, budget } = question;
  const matches = hasPrefix(prefix, true);
  const rows: Row[] = [];
  const ranges = unaccentedRanges(prefix).filter(
    ({ to }) => after === undefined || compareBytes(after, to) < 0,
  );
  for (const [index, range] of ranges.entries()) {
    const isInside = after !== undefined && compareBytes(after, range.from) >= 0;
    const asked = { ...question, limit: limit - rows.length, after: isInside ? after : undefined };
    const page = await listMatching(
      asked,
      (part) => read(range, part),
      (found) => found.filter(({ sortKey }) => matches(sortKey)),
    );
    rows.push(...page.rows);
    if (page.after !== undefined) return { rows, after: page.after };
    const isLast = index === ranges.length - 1;
    if (!isLast && (rows.length === limit || budget.isSpent)) return { rows, after: range.to };
  }
  return { rows };
}
