import { inTurns } from '../in-turns.ts';
import { queriesAtOnce } from '../readings/read-page.ts';
import type { Latest } from './latest-of-device.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

export interface LatestOfManyOptions {
  visible: VisibleReadings;
  ids: readonly string[];
  /** Readings of each. */
  limit: number;
  means: RequestLimits;
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
  const { visible, ids, limit, means } = options;
  let done = 0;
  const answers = await inTurns(ids, queriesAtOnce, async (id) => {
    if (done > 0 && means.budget.isSpent) return undefined;
    done += 1; // they are begun in their order, and a budget that is spent stays so
    return { id, latest: await visible.latest(id, limit, means) };
  });
  const given = answers.filter((answer) => answer !== undefined);
  return {
    found: given.flatMap(({ latest }) => latest ?? []),
    missing: given.filter(({ latest }) => latest === undefined).map(({ id }) => id),
    done,
  };
}
