import { route } from '@engawa/http';
import { z } from 'zod';
import { forEachLetter, moreCursor, selection } from './dead-letter-selection.ts';
import { refusal } from '../refusals/refusal-schema.ts';
import type { Route } from '@engawa/http';
import type { ManyDeadLetters } from './dead-letter-selection.ts';
import type { Refusal } from '../refusals/refusal.ts';

const operationId = 'replayDeadLetters';

const answer = z.strictObject({
  replayed: z.int().describe('Letters that are stored now, and gone.'),
  stored: z.int().describe('Readings stored, or stored before already.'),
  missing: z.int().describe('Letters that were not there.'),
  stayed: z
    .array(refusal.extend({ id: z.string() }))
    .describe('Letters that cannot be stored now either, each with its first reason.'),
  cursor: moreCursor,
});

export const replayDeadLetters = (options: ManyDeadLetters): Route =>
  route({
    method: 'post',
    path: '/v1/deadLetters/replay',
    operationId,
    summary: 'Try again to store what is in many dead letters',
    description:
      'Of a day, if need be of one reason or topic only, or by their ids. At most 1,000 letters a request, fewer if they take long; `cursor` says that there are more.',
    tags: ['deadLetters'],
    body: selection,
    answers: { 200: { description: 'What became of them.', schema: answer } },
    problems: ['invalid-cursor', 'table-throttled', 'table-unavailable'],
    handle: async ({ body, signal }) => {
      const { letters, work, cursors } = options;
      const patience = options.patience(signal);
      const left = () => patience.left;
      const counts = { replayed: 0, stored: 0 };
      const stayed: (Refusal & { id: string })[] = [];
      const walk = { letters, cursors, operationId, left, signal };
      const worked = await forEachLetter(body, walk, async (found) => {
        const { stored, refusals } = await work.replay(found, patience, signal);
        const [first] = refusals;
        counts.stored += stored;
        if (first === undefined) counts.replayed += 1;
        else stayed.push({ id: found.head.id, ...first });
      });
      return { status: 200, body: { ...counts, stayed, ...worked } };
    },
  });
