import type { Budget, Places } from '@engawa/http';
import type { Correction } from '@engawa/model';
import type { HistoryPosition } from '../placements/placement-history.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

/** Stays read at a time. */
const pageLimit = 1000;

export interface OwnTimesQuestion {
  placements: PlacementStore;
  device: string;
  places: Places;
  budget: Budget;
  signal: AbortSignal;
}

/** Says of a correction whether it is of the caller's concern. */
export type IsOwn = (correction: Pick<Correction, 'from' | 'to'>) => boolean;

/**
 * Which corrections a caller may read and make: all, or with restricted places those of times in which the device was at one of
 * these, for which its history is read.
 */
export async function ownTimes(question: OwnTimesQuestion): Promise<IsOwn> {
  const { placements, device, places, budget, signal } = question;
  if (!places.isRestricted) return () => true;
  const times: { from: number; to: number }[] = [];
  let after: HistoryPosition | undefined;
  do {
    const page = await placements.history({ device, limit: pageLimit, after, budget, signal });
    for (const { place, since, until = Infinity } of page.stays) {
      if (!places.allows(place)) continue;
      // The newest stay comes first: one that ends where the one before begins makes it longer.
      const next = times.at(-1);
      if (next?.from === until) next.from = since;
      else times.push({ from: since, to: until });
    }
    after = page.after;
  } while (after !== undefined);
  return ({ from, to }) => times.some((time) => time.from <= from && to <= time.to);
}
