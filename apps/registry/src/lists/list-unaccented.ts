import { compareBytes } from '@engawa/keys';
import { listMatching } from './list-matching.ts';
import { hasPrefix, unaccentedRanges } from './name-ranges.ts';
import type { MergedPage, ShardRow } from '@engawa/table';
import type { ListRequest } from './list-matching.ts';
import type { NameRange } from './name-ranges.ts';

/**
 * The rows whose name has the prefix if the accents of Latin letters are ignored, sorted as in the whole list. No key
 * without accents is stored: names with the first letter of the prefix are read, and names that begin with an accented
 * Latin letter (docs/adr/0135).
 * @param read the rows of a range, from a position within it
 */
export async function listUnaccented<Row extends ShardRow, Q extends ListRequest>(
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
