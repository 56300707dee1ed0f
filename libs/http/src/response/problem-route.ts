import { problemTypes, Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import { z } from 'zod';
import { statusOf } from './problem-response.ts';
import { route } from '../route/route.ts';

/** Where the `type` of a problem leads: what it means and what to do about it. */
export const getProblem = route({
  method: 'get',
  path: '/problems/{code}',
  operationId: 'getProblem',
  summary: 'What a kind of problem means, and what to do about it',
  tags: ['service'],
  scope: 'none',
  params: z.strictObject({ code: z.string().describe('The last part of a problem’s `type`.') }),
  responses: {
    200: {
      description: 'The kind of problem',
      schema: z.strictObject({
        type: z.string(),
        title: z.string(),
        status: z.int(),
        advice: z.string(),
      }),
    },
  },
  problems: ['route-not-found'],
  handle({ params: { code } }) {
    if (!isProblemCode(code)) {
      throw new Problem('route-not-found', 'There is no kind of problem of that name.');
    }
    const body = { type: `/problems/${code}`, status: statusOf[code], ...problemTypes[code] };
    return { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' }, body };
  },
});

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemTypes, code);
}
