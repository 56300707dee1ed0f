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

export interface LatestOfId {
  id: string;
  /** Undefined where there is no such device, or the client may not see it. */
  latest: Latest | undefined;
}

/** Maximum readings that are searched concurrently, over all devices of a page. */
const maxConcurrentReadings = 2000;

/**
 * Several devices with their newest readings, in the order of the ids: at least the first one, and further ones until
 * the budget is spent, or they have as many values as a page may have.
 */
export async function latestOfMany(options: LatestOfManyOptions): Promise<LatestOfId[]> {
  const { visible, ids, limit, limits } = options;
  const { budget } = limits;
  let isFirst = true;
  let values = 0;
  const answers = await pMap(
    ids,
    async (id) => {
      // Calls begin in order, and a spent budget stays spent.
      if (!isFirst && (budget.isSpent || values >= budget.maxValues)) return undefined;
      isFirst = false;
      const latest = await visible.latest(id, limit, limits);
      values += valuesOf(latest);
      return { id, latest };
    },
    { concurrency: concurrencyOf(limit) },
  );
  return answers.filter((answer) => answer !== undefined);
}

function concurrencyOf(limit: number): number {
  return Math.max(1, Math.min(maxConcurrentQueries, Math.floor(maxConcurrentReadings / limit)));
}

function valuesOf(latest: Latest | undefined): number {
  const readings = latest?.readings ?? [];
  return readings.reduce((sum, { fields }) => sum + Object.keys(fields).length, 0);
}
