import type { InputKinds } from './value-types.ts';

/** The values of a ranking to list, both ends inclusive. */
export interface RankingRange {
  from?: InputKinds['number' | 'instant'];
  to?: InputKinds['number' | 'instant'];
  timeZone?: string;
}
