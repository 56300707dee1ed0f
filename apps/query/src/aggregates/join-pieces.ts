import { Summary } from '@engawa/model';
import type { ResetMarks } from '@engawa/model';
import type { Piece } from './pieces.ts';

/** One summary per list of pieces, up to the first incomplete list. */
export function joined(lists: readonly (readonly Piece[])[], isReset: ResetMarks): Summary[] {
  const summaries: Summary[] = [];
  for (const pieces of lists) {
    const parts = pieces.map(({ summary }) => summary);
    const [first] = parts;
    if (parts.includes(undefined)) return summaries;
    if (first !== undefined && parts.length === 1) summaries.push(first);
    else summaries.push(appended(parts, isReset));
  }
  return summaries;
}

function appended(parts: readonly (Summary | undefined)[], isReset: ResetMarks): Summary {
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.append(part, isReset);
  return summary;
}
