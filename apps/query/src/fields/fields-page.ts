import { pageQuery, parsePosition } from '@engawa/http';
import { compareBytes } from '@engawa/keys';
import pMap from 'p-map';
import { z } from 'zod';
import { maxConcurrentQueries } from '../limits.ts';
import { showDevice } from '../schemas.ts';
import { fieldsQuery, searchedTimes, showField } from './field-schemas.ts';
import { allTimes, latestFields } from './fields-of-device.ts';
import type { CursorCodec } from '@engawa/http';
import type { Location } from '../memberships/membership-store.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

export interface FieldsPageOptions {
  readings: ReadingStore;
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** Maximum devices on a page. */
const maxDevicesPerPage = 100;

export const fieldsPageQuery = z.strictObject({
  ...fieldsQuery,
  limit: pageQuery.limit.describe(
    `Maximum number of devices, up to ${maxDevicesPerPage} on a page. A page may have fewer devices and still a cursor.`,
  ),
  cursor: pageQuery.cursor,
});

interface PageContext {
  request: string;
  query: z.output<typeof fieldsPageQuery>;
  limits: RequestLimits;
}

/** The content of a cursor: how far back to search, the last device of the page, and the last moment to search. */
const cursorPosition = z.tuple([z.int(), z.string(), z.int().optional()]);

/** The devices in a room or at a place with the last values of their fields; at least one device per page. */
export async function fieldsPage(
  options: FieldsPageOptions,
  location: Location,
  { request, query, limits }: PageContext,
) {
  const { visible, cursors } = options;
  const { limit, cursor } = query;
  const given =
    cursor === undefined
      ? undefined
      : parsePosition(cursorPosition, cursors.decode(request, cursor));
  const [from, last, at] = given ?? firstPosition(query);
  const present = await visible.presentAt(location, limits, at);
  const rest = last === undefined ? present : present.filter((id) => compareBytes(id, last) > 0);
  const names = query.fields && new Set(query.fields);
  const ids = rest.slice(0, Math.min(limit, maxDevicesPerPage));
  let done = 0;
  const shown = await pMap(
    ids,
    async (id) => {
      if (done > 0 && limits.budget.isSpent) return undefined;
      done += 1; // calls begin in order, and a spent budget stays spent
      const device = await visible.find(id, limits);
      if (device === undefined) return undefined; // it is being purged, or was just moved away
      const periods = await visible.ofDevice(id, allTimes, limits);
      const found = await latestFields(options.readings, { periods, from, at, names, limits });
      const fields = found.fields.map(showField);
      return { device: showDevice(device), since: new Date(found.since), fields };
    },
    { concurrency: maxConcurrentQueries },
  );
  const end = ids[done - 1];
  const hasMore = end !== undefined && done < rest.length;
  return {
    items: shown.filter((device) => device !== undefined),
    cursor: hasMore
      ? cursors.encode(request, at === undefined ? [from, end] : [from, end, at])
      : undefined,
  };
}

function firstPosition(query: PageContext['query']): [number, undefined, number | undefined] {
  const { from, at } = searchedTimes(query);
  return [from, undefined, at];
}
