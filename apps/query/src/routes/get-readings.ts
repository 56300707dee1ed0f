import { pageQuery, questionOf, route } from '@engawa/http';
import { z } from 'zod';
import { longestRangeDays, resolveRange } from '../resolve-range.ts';
import { deviceId } from '@engawa/model';
import { shownReading, showReading } from '../schemas.ts';
import { timeParameter } from '../time-parameter.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Position, TimeRange } from '../merge-blocks.ts';
import type { ReadingStore } from '../reading-store.ts';

export interface GetReadingsOptions {
  readings: ReadingStore;
  cursors: CursorCodec;
}

interface Start extends TimeRange {
  start?: Position;
}

const operationId = 'getReadings';
const mostFields = 100;

const query = z.strictObject({
  from: timeParameter
    .optional()
    .describe(
      'Readings from this time on: ISO 8601 with an offset, or epoch seconds or milliseconds. By default 24 hours before `to`.',
    ),
  to: timeParameter
    .optional()
    .describe(
      `Readings before this time, at most ${longestRangeDays} days after \`from\`. By default now.`,
    ),
  fields: z
    .string()
    .transform((text) => [...new Set(text.split(','))].sort())
    .refine((names) => !names.includes(''), 'must be names separated by single commas')
    .refine((names) => names.length <= mostFields, `must be at most ${mostFields} names`)
    .optional()
    .describe(
      'Names of fields, separated by commas: gives only these, and no reading without any of them.',
    ),
  order: z.enum(['asc', 'desc']).default('asc').describe('Oldest first, or newest first.'),
  ...pageQuery,
});

const answer = z.strictObject({
  readings: z.array(shownReading),
  cursor: z
    .string()
    .optional()
    .describe('Gives the next page, also where this one is short; the last page has none.'),
});

/** What a cursor says: the range too, since an end that is not given depends on when the first page was asked for. */
const cursorPosition = z
  .tuple([z.int(), z.int(), z.int(), z.string().optional()])
  .transform(([from, to, time, digest]): Start => ({ from, to, start: { time, digest } }));

export const getReadings = ({ readings, cursors }: GetReadingsOptions): Route =>
  route({
    method: 'get',
    path: '/v1/devices/{id}/readings',
    operationId,
    summary: 'The readings of a device from one time to another',
    tags: ['readings'],
    params: z.strictObject({ id: deviceId }),
    query,
    answers: { 200: { description: 'A page of readings, in order of time.', schema: answer } },
    problems: ['device-not-found'],
    handle: async ({ params, query: { cursor, limit, ...asked }, signal }) => {
      const question = questionOf(operationId, { ...params, ...asked });
      const start: Start =
        cursor === undefined
          ? resolveRange(asked, Date.now())
          : cursorPosition.parse(cursors.decode(question, cursor));
      const { order } = asked;
      const fields = asked.fields && new Set(asked.fields);
      const page = await readings.readings(
        { device: params.id, order, fields, limit, ...start },
        signal,
      );
      const { from, to } = start;
      return {
        status: 200,
        body: {
          readings: page.readings.map(showReading),
          cursor: page.next && cursors.encode(question, cursorOf({ from, to }, page.next)),
        },
      };
    },
  });

function cursorOf({ from, to }: TimeRange, { time, digest }: Position): (number | string)[] {
  return digest === undefined ? [from, to, time] : [from, to, time, digest];
}
