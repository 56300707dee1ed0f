import { route } from '@engawa/http';
import { z } from 'zod';
import { deadLetterId, notFound } from './dead-letter-schemas.ts';
import type { Route } from '@engawa/http';
import type { DeadLetterWork } from './dead-letter-work.ts';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';

export interface DiscardDeadLetterOptions {
  deadLetters: DeadLetters;
  work: DeadLetterWork;
}

export const discardDeadLetter = ({ deadLetters, work }: DiscardDeadLetterOptions): Route =>
  route({
    method: 'delete',
    path: '/v1/deadLetters/{id}',
    operationId: 'discardDeadLetter',
    summary: 'Discard a dead letter',
    description: 'Deletes the dead letter permanently. Readings of it that were stored remain.',
    tags: ['deadLetters'],
    params: z.strictObject({ id: deadLetterId }),
    responses: { 204: { description: 'The dead letter is deleted.' } },
    problems: ['dead-letter-not-found', 'table-throttled', 'table-unavailable'],
    handle: async ({ params: { id }, signal }) => {
      const found = await deadLetters.find(id, signal);
      if (found === undefined) throw notFound(id);
      await work.discard(found);
      return { status: 204 };
    },
  });
