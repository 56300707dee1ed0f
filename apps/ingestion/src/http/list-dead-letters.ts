import { cursorContext, nextCursor, pageQuery, parsePosition, readPage, route } from '@engawa/http';
import { z } from 'zod';
import { deadLetterFilter } from '../dead-letters/dead-letter-filter.ts';
import {
  criteria,
  day as dayParameter,
  listedDeadLetter,
  showListed,
} from './dead-letter-schemas.ts';
import type { CursorCodec, PageRequest, PageResult, Route } from '@engawa/http';
import type { DeadLetterFilter } from '../dead-letters/dead-letter-filter.ts';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';
import type { DayOrder } from '../dead-letters/shard-of-day.ts';
import type { Decoder } from '../decoders/decoder.ts';

export interface ListDeadLettersOptions {
  deadLetters: DeadLetters;
  decoders: readonly Decoder[];
  cursors: CursorCodec;
}

const operationId = 'listDeadLetters';

const description = [
  'Without payloads, the newest first. Dead letters are kept for 14 days.',
  '',
  'A page costs half a read unit, and the units of the dead letters that are read with their payloads (half a unit per',
  '4 KB); on a day whose dead letters are in 64 shards, because DynamoDB throttled the first, a Query of each shard. The',
  'filters `reason`, `topic` and `device` drop dead letters that were read. A page may therefore be short or empty and',
  'still have a next page.',
  '',
  'Dead letters that versions up to 0.2.0 stored are the oldest of their day, and not ordered by time.',
].join('\n');

const query = z.strictObject({
  day: dayParameter.optional().describe('Day of receipt in UTC; default: today.'),
  order: z
    .enum(['ascending', 'descending'])
    .prefault('descending')
    .describe('By time of receipt; `descending` has the newest first.'),
  ...criteria,
  ...pageQuery,
});

/** The day, which without `day` in the request may change between two pages, and the last id. */
const position = z.tuple([z.string(), z.string()]);

export const listDeadLetters = ({
  deadLetters,
  decoders,
  cursors,
}: ListDeadLettersOptions): Route =>
  route({
    method: 'get',
    path: '/v1/deadLetters',
    operationId,
    summary: 'List the dead letters of a day',
    description,
    tags: ['deadLetters'],
    query,
    responses: {
      200: {
        description: 'A page of dead letters.',
        schema: z.strictObject({ items: z.array(listedDeadLetter), cursor: nextCursor }),
      },
    },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable'],
    handle: async (call) => {
      const { day, order, reason, topic, device } = call.query;
      const asked = { day, order, reason, topic, device };
      const matches = deadLetterFilter(asked, decoders);
      const listing = {
        cursors,
        cursorContext: () => cursorContext(operationId, asked),
        read: (_: object, request: PageRequest) =>
          readDay(deadLetters, { day, order, matches, request, signal: call.signal }),
      };
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });

interface DayRequest {
  day: string | undefined;
  order: DayOrder;
  matches: DeadLetterFilter;
  request: PageRequest;
  signal: AbortSignal;
}

async function readDay(
  deadLetters: DeadLetters,
  { day = today(), request: { limit, after, budget }, ...asked }: DayRequest,
): Promise<PageResult> {
  const [from, last] = after === undefined ? [day] : parsePosition(position, after);
  const page = await deadLetters.page({ ...asked, day: from, after: last, limit, budget });
  return {
    items: page.rows.map(({ head, isIncomplete }) => showListed(head, isIncomplete)),
    positions: page.rows.map(({ head }) => [from, head.id]),
    after: page.after === undefined ? undefined : [from, page.after],
  };
}

const today = () => new Date().toISOString().slice(0, 10);
