import { compareText } from '../compare-text.ts';
import { sortText } from '../item-key.ts';
import type { KeyTerm } from '../expression/key-condition.ts';

/** The contiguous range of sort keys that match a key condition. */
export interface SortRange {
  /** Whether a sort key is in the range or after it. */
  isReached: (sort: string) => boolean;
  /** Whether a sort key is after the range. */
  isPassed: (sort: string) => boolean;
}

const always = () => true;
const never = () => false;

/** @param term undefined for all sort keys */
export function sortRange(term: KeyTerm | undefined): SortRange {
  const [first = '', last = ''] = (term?.operands ?? []).map(sortText);
  const from = (sort: string) => compareText(sort, first) >= 0;
  const behind = (sort: string) => compareText(sort, first) > 0;
  switch (term?.operator) {
    case undefined:
      return { isReached: always, isPassed: never };
    case '=':
      return { isReached: from, isPassed: behind };
    case '<':
      return { isReached: always, isPassed: from };
    case '<=':
      return { isReached: always, isPassed: behind };
    case '>':
      return { isReached: behind, isPassed: never };
    case '>=':
      return { isReached: from, isPassed: never };
    case 'BETWEEN':
      return { isReached: from, isPassed: (sort) => compareText(sort, last) > 0 };
    case 'begins_with':
      return { isReached: from, isPassed: (sort) => from(sort) && !sort.startsWith(first) };
  }
}
