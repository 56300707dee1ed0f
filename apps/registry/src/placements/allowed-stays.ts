import type { RequestBudget, Places } from '@engawa/http';
import type { CorrectionRange } from '@engawa/model';
import type { CachedDevice } from '../devices/device-cache.ts';
import type { HistoryPosition, PlacementPeriod } from './placement-history.ts';
import type { PlacementStore } from './placement-store.ts';

/** Periods per page of the history. */
const pageLimit = 1000;

export interface AllowedStaysRequest {
  placements: PlacementStore;
  /** As a consistent read has just returned it. */
  device: CachedDevice;
  places: Places;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface AllowedStays {
  /** The times at the places of the client, in order of time; the current stay has no end (`Infinity`). */
  times: CorrectionRange[];
  /** Whether the device was at no other place. */
  isAll: boolean;
}

/** The index of the history does not have the last move of the device yet. */
export class OutdatedHistory extends Error {
  override readonly name = 'OutdatedHistory';
}

/**
 * Where a device was, for a client that is restricted to places.
 * @throws OutdatedHistory
 */
export async function allowedStays(question: AllowedStaysRequest): Promise<AllowedStays> {
  const { placements, device, places, budget, signal } = question;
  const periods: PlacementPeriod[] = [];
  let after: HistoryPosition | undefined;
  do {
    const { id } = device.device;
    const page = await placements.history({ device: id, limit: pageLimit, after, budget, signal });
    periods.push(...page.entries.map(({ period }) => period));
    after = page.after;
  } while (after !== undefined);
  const stays = joined(periods);
  expectCurrent(stays, device);
  const allowed = stays.filter(({ place }) => places.allows(place));
  const times = joined(allowed.map((stay) => ({ ...stay, place: '' }))).toReversed();
  return {
    times: times.map(({ since, until = Infinity }) => ({ from: since, to: until })),
    isAll: allowed.length === stays.length,
  };
}

/** Joins adjacent periods at one place, in whichever rooms. Newest first. */
function joined(periods: readonly Omit<PlacementPeriod, 'room'>[]) {
  const stays: Omit<PlacementPeriod, 'room'>[] = [];
  for (const { place, since, until } of periods) {
    const next = stays.at(-1);
    if (next?.place === place && next.since === until) next.since = since;
    else stays.push({ place, since, until });
  }
  return stays;
}

/** The history is read from an index, which follows the table some milliseconds later. */
function expectCurrent(
  [newest]: readonly Omit<PlacementPeriod, 'room'>[],
  { device, arrivedAt }: CachedDevice,
): void {
  const current = newest?.until === undefined ? newest : undefined;
  const isKnown = current?.place === device.place && current?.since === arrivedAt;
  if (!isKnown) throw new OutdatedHistory();
}
