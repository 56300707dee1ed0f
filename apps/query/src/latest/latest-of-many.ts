import { maxConcurrentQueries } from '../limits.ts';
import pMap from 'p-map';
import type { Latest } from './latest-of-device.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

export interface LatestOfManyOptions {
  visible: VisibleReadings;
  ids: readonly string[];
  /** Maximum readings per device. */
  limit: number;
  limits: RequestLimits;
}

export interface LatestOfMany {
  /** In the order of the ids, without unknown ids. */
  found: Latest[];
  /** Ids without a device. */
  missing: string[];
  /** Number of ids that were looked up before the budget was spent. */
  done: number;
}

/** Several devices with their newest readings; at least one device per page. */
export async function latestOfMany(options: LatestOfManyOptions): Promise<LatestOfMany> {
  const { visible, ids, limit, limits } = options;
  let done = 0;
  const answers = await pMap(
    ids,
    async (id) => {
      if (done > 0 && limits.budget.isSpent) return undefined;
      done += 1; // calls begin in order, and a spent budget stays spent
      return { id, latest: await visible.latest(id, limit, limits) };
    },
    { concurrency: maxConcurrentQueries },
  );
  const given = answers.filter((answer) => answer !== undefined);
  return {
    found: given.flatMap(({ latest }) => latest ?? []),
    missing: given.filter(({ latest }) => latest === undefined).map(({ id }) => id),
    done,
  };
}
