import { inTurns } from '../in-turns.ts';
import { queriesAtOnce } from '../readings/read-page.ts';
import type { Budget } from '@engawa/http';
import type { Latest } from './latest-of-device.ts';
import type { ReadingStore } from '../readings/reading-store.ts';

export interface LatestOfManyOptions {
  readings: ReadingStore;
  ids: readonly string[];
  /** Readings of each. */
  limit: number;
  budget: Budget;
  signal: AbortSignal;
}

export interface LatestOfMany {
  /** In the order of the ids, without those of no device. */
  found: Latest[];
  /** Ids of no device. */
  missing: string[];
  /** How many of the ids have been looked at; the others when the budget was spent before. */
  done: number;
}

/** The devices and their newest readings, at least of the first one. */
export async function latestOfMany(options: LatestOfManyOptions): Promise<LatestOfMany> {
  const { readings, ids, limit, budget, signal } = options;
  let done = 0;
  const answers = await inTurns(ids, queriesAtOnce, async (id) => {
    if (done > 0 && budget.isSpent) return undefined;
    done += 1; // they are begun in their order, and a budget that is spent stays so
    return { id, latest: await readings.latest({ id, limit, budget, signal }) };
  });
  const given = answers.filter((answer) => answer !== undefined);
  return {
    found: given.flatMap(({ latest }) => latest ?? []),
    missing: given.filter(({ latest }) => latest === undefined).map(({ id }) => id),
    done,
  };
}
