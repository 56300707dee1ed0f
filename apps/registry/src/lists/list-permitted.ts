import type { Budget } from '@engawa/http';
import type { MergedPage, Row } from '@engawa/table';

export interface ListQuestion {
  limit: number;
  after?: string | undefined;
  budget: Budget;
}

/** Rows read at a time at least: of a caller's own there may be few among many. */
const leastRead = 100;

/**
 * The rows of a list that a caller may see: read on until the page is full or the budget is spent, where the cursor then
 * leads on.
 */
export async function listPermitted<R extends Row, Q extends ListQuestion>(
  question: Q,
  read: (question: Q) => Promise<MergedPage<R>>,
  permitted: (rows: readonly R[]) => readonly R[] | Promise<readonly R[]>,
): Promise<MergedPage<R>> {
  const { limit, budget } = question;
  const rows: R[] = [];
  let { after } = question;
  do {
    const wanted = limit - rows.length;
    const page = await read({ ...question, limit: Math.max(wanted, leastRead), after });
    const own = await permitted(page.rows);
    rows.push(...own.slice(0, wanted));
    after = own.length > wanted ? rows.at(-1)?.sortKey : page.after;
  } while (after !== undefined && rows.length < limit && !budget.isSpent);
  return after === undefined ? { rows } : { rows, after };
}
