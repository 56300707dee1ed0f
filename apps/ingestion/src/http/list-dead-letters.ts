import { pageQuery, parsePosition, cursorContext, route } from '@engawa/http';
import { z } from 'zod';
import { day as dayParameter, listedDeadLetter, showListed } from './dead-letter-schemas.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';
import type { DayPosition } from '../dead-letters/page-of-day.ts';

export interface ListDeadLettersOptions {
  deadLetters: DeadLetters;
  cursors: CursorCodec;
}

const operationId = 'listDeadLetters';

/** Shard and last id, with the day: without a `day` in the request, the day may change between two pages. */
const position = z.tuple([z.string(), z.int(), z.string().nullable()]);

export const listDeadLetters = ({ deadLetters, cursors }: ListDeadLettersOptions): Route =>
  route({
    method: 'get',
    path: '/v1/deadLetters',
    operationId,
    summary: 'List the dead letters of a day',
    description:
      'Without payloads, not ordered by time. Dead letters are kept for 14 days. A page may be short or empty and still have a next page.',
    tags: ['deadLetters'],
    query: z.strictObject({
      day: dayParameter.optional().describe('Day of receipt in UTC; default: today.'),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of dead letters.',
        schema: z.strictObject({
          items: z.array(listedDeadLetter),
          cursor: z
            .string()
            .optional()
            .describe('Cursor of the next page; absent in the last page.'),
        }),
      },
    },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable'],
    handle: async ({ query: { day, limit, cursor }, budget, signal }) => {
      const context = cursorContext(operationId, { day: day ?? null });
      const [from, shard, after] =
        cursor === undefined
          ? [day ?? new Date().toISOString().slice(0, 10), 0, null]
          : parsePosition(position, cursors.decode(context, cursor));
      const read = (place: DayPosition) =>
        deadLetters.page({ day: from, position: place, limit, signal });
      let { rows, next } = await read({ shard, ...(after !== null && { after }) });
      // Most shards of most days are empty.
      while (rows.length === 0 && next !== undefined && !budget.isSpent) {
        ({ rows, next } = await read(next));
      }
      return {
        status: 200,
        body: {
          items: rows.map(({ head, isIncomplete }) => showListed(head, isIncomplete)),
          cursor: next && cursors.encode(context, [from, next.shard, next.after ?? null]),
        },
      };
    },
  });
