import type { RequestBudget } from '@engawa/http';
import type { MergedPage, ShardRow } from '@engawa/table';

export interface ListRequest {
  limit: number;
  after?: string | undefined;
  budget: RequestBudget;
}

/** Each step reads four times as many rows as the step before, since few of them match. */
const growthFactor = 4;
const maxStep = 1000;

/**
 * The rows of a list that match a filter and that the client may see. Reads until the page is full
 * or the budget is spent; the next page continues there.
 */
export async function listMatching<
  Read extends ShardRow,
  Matching extends ShardRow,
  Q extends ListRequest,
>(
  question: Q,
  read: (question: Q) => Promise<MergedPage<Read>>,
  matching: (rows: readonly Read[]) => readonly Matching[] | Promise<readonly Matching[]>,
): Promise<MergedPage<Matching>> {
  const { limit, budget } = question;
  const rows: Matching[] = [];
  let { after } = question;
  let step = limit;
  do {
    const wanted = limit - rows.length;
    const page = await read({ ...question, limit: step, after });
    const found = await matching(page.rows);
    rows.push(...found.slice(0, wanted));
    after = found.length > wanted ? rows.at(-1)?.sortKey : page.after;
    step = Math.max(limit, Math.min(growthFactor * step, maxStep));
  } while (after !== undefined && rows.length < limit && !budget.isSpent);
  return after === undefined ? { rows } : { rows, after };
}
