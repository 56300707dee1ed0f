import { route } from '@engawa/http';
import { z } from 'zod';
import { deadLetterId, notFound, showWhole, wholeLetter } from '../dead-letters/dead-letter-schemas.ts';
import type { Route } from '@engawa/http';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';

export const getDeadLetter = ({ letters }: { letters: DeadLetters }): Route =>
  route({
    method: 'get',
    path: '/v1/deadLetters/{id}',
    operationId: 'getDeadLetter',
    summary: 'A dead letter with its payload',
    tags: ['deadLetters'],
    params: z.strictObject({ id: deadLetterId }),
    answers: { 200: { description: 'The dead letter.', schema: wholeLetter } },
    problems: ['dead-letter-not-found', 'table-throttled', 'table-unavailable'],
    handle: async ({ params: { id }, signal }) => {
      const found = await letters.find(id, signal);
      if (found === undefined) throw notFound(id);
      return { status: 200, body: showWhole(found.letter) };
    },
  });
