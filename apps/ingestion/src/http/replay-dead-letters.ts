import { route } from '@engawa/http';
import { z } from 'zod';
import { forEachDeadLetter, moreCursor, selection } from './dead-letter-selection.ts';
import { refusal } from '../refusals/refusal-schema.ts';
import type { Route } from '@engawa/http';
import type { ManyDeadLetters } from './dead-letter-selection.ts';
import type { Refusal } from '../refusals/refusal.ts';

const operationId = 'replayDeadLetters';

const answer = z.strictObject({
  replayed: z.int().describe('Dead letters that are stored as readings now, and deleted.'),
  stored: z.int().describe('Readings stored, now or before.'),
  missing: z
    .int()
    .describe('Dead letters that did not exist, or that another request removed meanwhile.'),
  stayed: z
    .array(refusal.extend({ id: z.string() }))
    .describe('Dead letters that still cannot be stored completely, each with its first reason.'),
  cursor: moreCursor,
});

export const replayDeadLetters = (options: ManyDeadLetters): Route =>
  route({
    method: 'post',
    path: '/v1/deadLetters/replay',
    operationId,
    summary: 'Replay many dead letters',
    description:
      'Selects dead letters of a day, the oldest first, optionally of one reason, topic or device, or by their ids. At most 1,000 dead letters per request, fewer if they take long or do not fit a page; `cursor` indicates that there are more.',
    tags: ['deadLetters'],
    body: selection,
    responses: { 200: { description: 'Numbers of dead letters by outcome.', schema: answer } },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable', 'service-closing'],
    handle: async ({ body, budget, signal }) => {
      const { deadLetters, decoders, work, cursors } = options;
      const timeout = options.timeout(signal);
      const counts = { replayed: 0, stored: 0 };
      const stayed: (Refusal & { id: string })[] = [];
      let bytes = 0;
      // The dead letters that remain are all named, so a full page ends the request as its timeout does.
      const remainingMs = () => (bytes < budget.maxBytes ? timeout.remainingMs : 0);
      const common = { deadLetters, decoders, cursors, budget, signal };
      const walk = { ...common, operationId, remainingMs };
      const worked = await forEachDeadLetter(body, walk, async (found) => {
        const result = await work.replay(found, timeout, signal);
        if (result === undefined) return false;
        const [first] = result.refusals;
        counts.stored += result.stored;
        if (first === undefined) counts.replayed += 1;
        else {
          const one = { id: found.head.id, ...withoutPart(first) };
          stayed.push(one);
          bytes += Buffer.byteLength(JSON.stringify(one));
        }
        return true;
      });
      return { status: 200, body: { ...counts, stayed, ...worked } };
    },
  });

function withoutPart({ index, reason, detail, detailCode }: Refusal): Refusal {
  return { ...(index !== undefined && { index }), reason, detail, detailCode };
}
