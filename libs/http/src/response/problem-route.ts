import { problemTypes, Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import { z } from 'zod';
import { statusOf } from './problem-response.ts';
import { route } from '../route/route.ts';

/** The page that the `type` of a problem refers to: meaning and advice. */
export const getProblem = route({
  method: 'get',
  path: '/problems/{code}',
  operationId: 'getProblem',
  summary: 'Get the meaning of a problem type, and advice',
  tags: ['service'],
  scope: 'none',
  params: z.strictObject({
    code: z.string().describe('The last segment of the `type` of a problem.'),
  }),
  responses: {
    200: {
      description: 'The problem type',
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
      throw new Problem('route-not-found', 'No problem type has this name.');
    }
    const body = { type: `/problems/${code}`, status: statusOf[code], ...problemTypes[code] };
    return { status: 200, headers: { 'Cache-Control': 'public, max-age=3600' }, body };
  },
});

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemTypes, code);
}
