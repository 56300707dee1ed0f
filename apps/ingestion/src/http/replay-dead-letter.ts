import { route } from '@engawa/http';
import { z } from 'zod';
import { deadLetterId, notFound, replayed, showReplayed } from './dead-letter-schemas.ts';
import type { Route } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';
import type { TableTimeout } from './table-timeout.ts';

export interface ReplayDeadLetterOptions {
  deadLetters: DeadLetters;
  work: DeadLetterWork;
  timeout: (signal: AbortSignal) => TableTimeout;
}

export const replayDeadLetter = ({ deadLetters, work, timeout }: ReplayDeadLetterOptions): Route =>
  route({
    method: 'post',
    path: '/v1/deadLetters/{id}/replay',
    operationId: 'replayDeadLetter',
    summary: 'Replay a dead letter',
    description:
      'Processes the dead letter as if its message arrived now; readings without a time get the time of its receipt. When everything in it is stored, the dead letter is deleted; otherwise it remains, with the current reason. After a problem the replay can be repeated: nothing is stored twice, and `dead-letter-not-found` then means that the first request ended it.',
    tags: ['deadLetters'],
    params: z.strictObject({ id: deadLetterId }),
    responses: { 200: { description: 'Outcome of the replay.', schema: replayed } },
    problems: ['dead-letter-not-found', 'table-throttled', 'table-unavailable', 'service-closing'],
    handle: async ({ params: { id }, budget, signal, work: response }) => {
      const waiting = timeout(signal);
      const found = await deadLetters.find(id, signal);
      if (found === undefined) throw notFound(id);
      const result = await work.replay(found, waiting, signal);
      if (result === undefined) throw notFound(id);
      return { status: 200, body: await response.run(showReplayed(result, budget.maxBytes)) };
    },
  });
