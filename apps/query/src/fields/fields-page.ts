import { pageQuery, parsePosition } from '@engawa/http';
import { compareBytes } from '@engawa/keys';
import { z } from 'zod';
import { inTurns } from '../in-turns.ts';
import { queriesAtOnce } from '../readings/read-page.ts';
import { showDevice } from '../schemas.ts';
import { fieldsQuery, lookBackTo, showField } from './field-schemas.ts';
import { ever, latestFields } from './fields-of-device.ts';
import type { CursorCodec } from '@engawa/http';
import type { Location } from '../membership-store.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

export interface FieldsPageOptions {
  readings: ReadingStore;
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** Devices on one page. */
const mostDevices = 100;

export const fieldsPageQuery = z.strictObject({
  ...fieldsQuery,
  limit: pageQuery.limit.describe(
    `How many devices to give at most. A page has no more than ${mostDevices}, may hold fewer and still have a next one.`,
  ),
  cursor: pageQuery.cursor,
});

interface PageAsked {
  question: string;
  query: z.output<typeof fieldsPageQuery>;
  means: RequestLimits;
}

/** What a cursor says: back to when to look, and the last device that was looked at. */
const cursorPosition = z.tuple([z.int(), z.string()]);

/** The devices in a room or at a place with the last values of their fields; at least of the first one. */
export async function fieldsPage(
  options: FieldsPageOptions,
  scene: Location,
  { question, query, means }: PageAsked,
) {
  const { visible, cursors } = options;
  const { limit, cursor } = query;
  const given =
    cursor === undefined
      ? undefined
      : parsePosition(cursorPosition, cursors.decode(question, cursor));
  const [from, last] = given ?? [lookBackTo(query)];
  const present = await visible.presentAt(scene, means);
  const rest = last === undefined ? present : present.filter((id) => compareBytes(id, last) > 0);
  const names = query.fields && new Set(query.fields);
  const ids = rest.slice(0, Math.min(limit, mostDevices));
  let done = 0;
  const shown = await inTurns(ids, queriesAtOnce, async (id) => {
    if (done > 0 && means.budget.isSpent) return undefined;
    done += 1; // they are begun in their order, and a budget that is spent stays so
    const device = await visible.find(id, means);
    if (device === undefined) return undefined; // it is being erased, or was just moved away
    const periods = await visible.ofDevice(id, ever, means);
    const found = await latestFields(options.readings, { periods, from, names, means });
    const fields = found.fields.map(showField);
    return { device: showDevice(device), since: new Date(found.since), fields };
  });
  const end = ids[done - 1];
  const hasMore = end !== undefined && done < rest.length;
  return {
    items: shown.filter((device) => device !== undefined),
    cursor: hasMore ? cursors.encode(question, [from, end]) : undefined,
  };
}
