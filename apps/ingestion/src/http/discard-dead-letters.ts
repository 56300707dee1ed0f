import { route } from '@engawa/http';
import { z } from 'zod';
import { forEachDeadLetter, moreCursor, selection } from './dead-letter-selection.ts';
import type { Route } from '@engawa/http';
import type { ManyDeadLetters } from './dead-letter-selection.ts';

const operationId = 'discardDeadLetters';

const answer = z.strictObject({
  discarded: z.int().describe('Dead letters that were deleted.'),
  missing: z
    .int()
    .describe('Dead letters that did not exist, or that another request removed meanwhile.'),
  cursor: moreCursor,
});

export const discardDeadLetters = (options: ManyDeadLetters): Route =>
  route({
    method: 'post',
    path: '/v1/deadLetters/discard',
    operationId,
    summary: 'Discard many dead letters',
    description:
      'Selects dead letters of a day, the oldest first, optionally of one reason, topic or device, or by their ids. At most 1,000 dead letters per request, fewer if they take long; `cursor` indicates that there are more.',
    tags: ['deadLetters'],
    body: selection,
    responses: { 200: { description: 'Numbers of dead letters by outcome.', schema: answer } },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable'],
    handle: async ({ body, budget, signal }) => {
      const { deadLetters, decoders, work, cursors } = options;
      const timeout = options.timeout(signal);
      const remainingMs = () => timeout.remainingMs;
      let discarded = 0;
      const common = { deadLetters, decoders, cursors, budget, signal };
      const walk = { ...common, operationId, remainingMs };
      const worked = await forEachDeadLetter(body, walk, async (found) => {
        const isDiscarded = await work.discard(found);
        if (isDiscarded) discarded += 1;
        return isDiscarded;
      });
      return { status: 200, body: { discarded, ...worked } };
    },
  });
