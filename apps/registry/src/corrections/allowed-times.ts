import type { RequestBudget, Places } from '@engawa/http';
import type { Correction } from '@engawa/model';
import type { HistoryPosition } from '../placements/placement-history.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

/** Periods per page of the history. */
const pageLimit = 1000;

export interface AllowedTimesRequest {
  placements: PlacementStore;
  device: string;
  places: Places;
  budget: RequestBudget;
  signal: AbortSignal;
}

/** Whether the client may read and create a correction. */
export type IsAllowed = (correction: Pick<Correction, 'from' | 'to'>) => boolean;

/**
 * Which corrections a client may read and create: all; or, for a client restricted to places, those
 * of times in which the device was at one of them, for which its history is read.
 */
export async function allowedTimes(question: AllowedTimesRequest): Promise<IsAllowed> {
  const { placements, device, places, budget, signal } = question;
  if (!places.isRestricted) return () => true;
  const times: { from: number; to: number }[] = [];
  let after: HistoryPosition | undefined;
  do {
    const page = await placements.history({ device, limit: pageLimit, after, budget, signal });
    for (const { place, since, until = Infinity } of page.periods) {
      if (!places.allows(place)) continue;
      // Newest first: a period that ends where the previous one begins extends it.
      const next = times.at(-1);
      if (next?.from === until) next.from = since;
      else times.push({ from: since, to: until });
    }
    after = page.after;
  } while (after !== undefined);
  return ({ from, to }) => times.some((time) => time.from <= from && to <= time.to);
}
