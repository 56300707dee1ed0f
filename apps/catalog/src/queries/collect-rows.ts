import type { RequestBudget } from '@engawa/http';
import type { MergedPage, ShardRow } from '@engawa/table';

export interface CollectOptions<Given extends ShardRow, Kept extends ShardRow> {
  limit: number;
  after: string | undefined;
  budget: RequestBudget;
  /** Reads the next rows after a sort key. */
  read: (after: string | undefined, limit: number) => Promise<MergedPage<Given>>;
  /** Filters the rows. */
  keep: (rows: Given[]) => Kept[] | Promise<Kept[]>;
  /** Rows per read: a minimum where the filter keeps few, a maximum where each row is expensive. */
  minRead?: number | undefined;
  maxRead?: number | undefined;
}

/** Rows per read where the filter keeps few, or an entity is fetched for each: the items of one BatchGetItem. */
export const batchSize = 100;

/** Reads rows until the filtered page is full or the budget is spent; then the page is shorter. */
export async function collectRows<Given extends ShardRow, Kept extends ShardRow>({
  limit,
  after: start,
  budget,
  read,
  keep,
  minRead = 1,
  maxRead = Infinity,
}: CollectOptions<Given, Kept>): Promise<MergedPage<Kept>> {
  const rows: Kept[] = [];
  let after = start;
  do {
    const desired = limit - rows.length;
    const page = await read(after, Math.min(Math.max(desired, minRead), maxRead));
    const kept = await keep(page.rows);
    rows.push(...kept.slice(0, desired));
    after = kept.length > desired ? rows.at(-1)?.sortKey : page.after;
  } while (after !== undefined && rows.length < limit && !budget.isSpent);
  return { rows, after };
}
