import { pageQuery, parsePosition } from '@engawa/http';
import { z } from 'zod';
import { latestOfMany } from '../latest/latest-of-many.ts';
import { latestOutput } from '../schemas.ts';
import { fittingLatest } from '../latest/latest-texts.ts';
import { maxSmallReadings, readingsOfEach } from './get-latest.ts';
import type { ClientWork, CursorCodec } from '@engawa/http';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

/** Maximum devices on one page, and in one request. */
export const maxDevicesPerPage = 100;

export const latestQuery = {
  readings: readingsOfEach.describe('Maximum number of readings per device.'),
  limit: pageQuery.limit.describe(
    `Maximum number of devices, up to ${maxDevicesPerPage} on a page. A page may have fewer devices and still a cursor.`,
  ),
  cursor: pageQuery.cursor,
};

export const devicesOutput = z
  .array(latestOutput)
  .describe('Devices with their readings, newest first.');
export const cursorOutput = z
  .string()
  .optional()
  .describe('Cursor of the next page, also if this page is short; absent on the last page.');

/** The content of a cursor: the last device of the page. */
const cursorPosition = z.string();

export interface LatestPageOptions {
  visible: VisibleReadings;
  cursors: CursorCodec;
  request: string;
  query: { readings: number; limit: number; cursor?: string | undefined };
  /** The devices after the last one of the page before. */
  devices: (last: string | undefined) => readonly string[];
  limits: RequestLimits;
  work: ClientWork;
}

/** A page of devices with their latest readings, and the unknown ids. */
export async function latestPage(options: LatestPageOptions) {
  const { visible, cursors, request, query, limits, work } = options;
  const last =
    query.cursor === undefined
      ? undefined
      : parsePosition(cursorPosition, cursors.decode(request, query.cursor));
  const rest = options.devices(last);
  const ids = rest.slice(0, Math.min(query.limit, maxDevicesPerPage));
  const { readings: limit } = query;
  const compute = async () => {
    const found = await latestOfMany({ visible, ids, limit, limits });
    return work.run(fittingLatest(found, limits.budget.maxBytes));
  };
  const isLarge = ids.length * limit > maxSmallReadings;
  const { items, missing, done } = await (isLarge ? work.holdPage(compute) : compute());
  const end = ids[done - 1];
  const cursor = end !== undefined && done < rest.length ? cursors.encode(request, end) : undefined;
  return { items, missing, cursor };
}
