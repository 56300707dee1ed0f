import { fittingText, JsonText, jsonText, pageQuery, parsePosition } from '@engawa/http';
import { compareBytes } from '@engawa/keys';
import pMap from 'p-map';
import { z } from 'zod';
import { maxConcurrentQueries } from '../limits.ts';
import { showDevice } from '../schemas.ts';
import { fieldsQuery, searchedTimes, showField } from './field-schemas.ts';
import { allTimes, latestFields } from './fields-of-device.ts';
import type { ClientWork, CursorCodec, ResponseWork } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Location } from '../memberships/membership-store.ts';
import type { FieldsRequest, LatestFields } from './fields-of-device.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

export interface FieldsPageOptions {
  readings: ReadingStore;
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** Maximum devices on a page. */
const maxDevicesPerPage = 100;

/** Fields of a device where none are named, and fields of a page that takes no slot. */
const usualFields = 20;
const maxSmallFields = 400;

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
  work: ClientWork;
}

/** The content of a cursor: how far back to search, the last device of the page, and the last moment to search. */
const cursorPosition = z.tuple([z.int(), z.string(), z.int().optional()]);

/** The devices in a room or at a place with the last values of their fields; at least one device per page. */
export async function fieldsPage(
  options: FieldsPageOptions,
  location: Location,
  { request, query, limits, work }: PageContext,
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
  const compute = () => shownDevices(options, ids, { from, at, names, limits, work });
  const isLarge = ids.length * (names?.size ?? usualFields) > maxSmallFields;
  const shown = await (isLarge ? work.holdPage(compute) : compute());
  const { items, count } = fitting(shown, limits.budget.maxBytes);
  const end = ids[count - 1];
  const hasMore = end !== undefined && count < rest.length;
  return {
    items,
    cursor: hasMore
      ? cursors.encode(request, at === undefined ? [from, end] : [from, end, at])
      : undefined,
  };
}

type FieldsContext = Omit<FieldsRequest, 'periods'> & Pick<PageContext, 'work'>;

/**
 * The first devices, as JSON, as far as the budget reaches; undefined for a device that is being purged, or was just
 * moved away.
 */
async function shownDevices(
  { readings, visible }: FieldsPageOptions,
  ids: readonly string[],
  { work, ...search }: FieldsContext,
): Promise<(JsonText | undefined)[]> {
  const { limits } = search;
  let [done, bytes] = [0, 0];
  const shown = await pMap(
    ids,
    async (id) => {
      const isFull = limits.budget.isSpent || bytes >= limits.budget.maxBytes;
      if (done > 0 && isFull) return undefined;
      done += 1; // calls begin in order, and a spent budget stays spent
      const device = await visible.find(id, limits);
      if (device === undefined) return undefined;
      const periods = await visible.ofDevice(id, allTimes, limits);
      const found = await latestFields(readings, { ...search, periods });
      const text = await work.run(deviceText(device, found, limits.budget.maxBytes));
      bytes += Buffer.byteLength(text.text);
      return text;
    },
    { concurrency: maxConcurrentQueries },
  );
  return shown.slice(0, done);
}

/** A device with as many of its fields as fit a page. */
function* deviceText(
  device: Device,
  { fields, since }: LatestFields,
  maxBytes: number,
): ResponseWork<JsonText> {
  const { text, count } = yield* fittingText(fields.map(showField), maxBytes);
  const more = count < fields.length && { incomplete: true };
  const item = { device: showDevice(device), since: new Date(since), fields: text, ...more };
  return new JsonText(yield* jsonText(item));
}

/** The first devices that fit a page together, at least one. @returns also their number, with missing ones */
function fitting(shown: readonly (JsonText | undefined)[], maxBytes: number) {
  const items: JsonText[] = [];
  let [count, bytes] = [0, 0];
  for (const text of shown) {
    if (text !== undefined) {
      bytes += Buffer.byteLength(text.text) + 1; // and a comma
      if (bytes > maxBytes && items.length > 0) break;
      items.push(text);
    }
    count += 1;
  }
  return { items, count };
}

function firstPosition(query: PageContext['query']): [number, undefined, number | undefined] {
  const { from, at } = searchedTimes(query);
  return [from, undefined, at];
}
