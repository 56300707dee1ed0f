import { Summary } from '@engawa/model';
import type { ResetMarks } from '@engawa/model';
import type { SummaryRange } from './summary-ranges.ts';

/** One summary per list of ranges, up to the first incomplete list. */
export function joinSummaries(
  lists: readonly (readonly SummaryRange[])[],
  isReset: ResetMarks,
): Summary[] {
  const summaries: Summary[] = [];
  for (const ranges of lists) {
    const parts = ranges.map(({ summary }) => summary);
    const [first] = parts;
    if (parts.includes(undefined)) return summaries;
    if (first !== undefined && parts.length === 1) summaries.push(first);
    else summaries.push(appended(parts, isReset));
  }
  return summaries;
}

/** One summary of adjacent ranges of a device, in order of time. */
export function appended(parts: readonly (Summary | undefined)[], isReset: ResetMarks): Summary {
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.append(part, isReset);
  return summary;
}
