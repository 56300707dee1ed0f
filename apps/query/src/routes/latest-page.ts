import { pageQuery, parsePosition } from '@engawa/http';
import { z } from 'zod';
import { latestOfMany } from '../latest/latest-of-many.ts';
import { showLatest, shownLatest } from '../schemas.ts';
import { readingsOfEach } from './get-latest.ts';
import type { CursorCodec } from '@engawa/http';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

/** Devices on one page, and in one question. */
export const mostDevices = 100;

export const latestQuery = {
  readings: readingsOfEach.describe('How many readings of each device to give at most.'),
  limit: pageQuery.limit.describe(
    `How many devices to give at most. A page has no more than ${mostDevices}, may hold fewer and still have a next one.`,
  ),
  cursor: pageQuery.cursor,
};

export const shownDevices = z
  .array(shownLatest)
  .describe('Each with its readings, the newest first.');
export const shownCursor = z
  .string()
  .optional()
  .describe('Gives the next devices, also where this page is short; the last page has none.');

/** What a cursor says: the last device that was looked at. */
const cursorPosition = z.string();

export interface LatestPageOptions {
  visible: VisibleReadings;
  cursors: CursorCodec;
  question: string;
  query: { readings: number; limit: number; cursor?: string | undefined };
  /** Those that may still follow the one that the page before ended with. */
  devices: (last: string | undefined) => readonly string[];
  means: RequestLimits;
}

/** A page of devices with their latest readings; the ids of no device beside them. */
export async function latestPage(options: LatestPageOptions) {
  const { visible, cursors, question, query, means } = options;
  const last =
    query.cursor === undefined
      ? undefined
      : parsePosition(cursorPosition, cursors.decode(question, query.cursor));
  const rest = options.devices(last);
  const ids = rest.slice(0, Math.min(query.limit, mostDevices));
  const { readings: limit } = query;
  const { found, missing, done } = await latestOfMany({ visible, ids, limit, means });
  const end = ids[done - 1];
  return {
    items: found.map(showLatest),
    missing,
    cursor: end !== undefined && done < rest.length ? cursors.encode(question, end) : undefined,
  };
}
