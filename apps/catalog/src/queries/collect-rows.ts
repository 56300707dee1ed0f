import type { RequestBudget } from '@engawa/http';
import type { MergedPage, ShardRow } from '@engawa/table';

export interface CollectOptions<Given extends ShardRow, Kept extends ShardRow> {
  limit: number;
  after: string | undefined;
  budget: RequestBudget;
  /** Reads so many rows behind a sort key. */
  read: (after: string | undefined, limit: number) => Promise<MergedPage<Given>>;
  /** Those of the rows that are meant. */
  keep: (rows: Given[]) => Kept[] | Promise<Kept[]>;
  /** Rows to read at a time: more than are still wanted where few may be meant, fewer where much hangs on each. */
  minRead?: number | undefined;
  maxRead?: number | undefined;
}

/** Rows read at a time where few may be meant, or where an entity is fetched for each: a BatchGetItem takes as many. */
export const batchSize = 100;

/** A page of the rows that are meant, of as many reads as that takes; a shorter one once the means are spent. */
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
    const wanted = limit - rows.length;
    const page = await read(after, Math.min(Math.max(wanted, minRead), maxRead));
    const kept = await keep(page.rows);
    rows.push(...kept.slice(0, wanted));
    after = kept.length > wanted ? rows.at(-1)?.sortKey : page.after;
  } while (after !== undefined && rows.length < limit && !budget.isSpent);
  return { rows, after };
}
