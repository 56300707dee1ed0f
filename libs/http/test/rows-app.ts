import { Problem } from '@engawa/errors';
import { parseNumber } from '@engawa/model';
import { z } from 'zod';
import { integerParameter } from '../src/request/integer-parameter.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';

const row = z.strictObject({ time: z.iso.datetime(), name: z.string(), value: z.number() });

const names = ['plain', 'a,b', 'say "hi"', 'two\nlines', '=1+1', '@cmd', '-1', "'", '居間', ''];

/** The events of the rows of each request, by its `to`. */
export interface RowEvents {
  given: number;
  ended: boolean;
  aborted: boolean;
  /** Releases a waiting generator. */
  release: () => void;
}

/** A list of the requested number of rows, which fails or waits before a requested row. */
export async function startRowsApp(
  more: { idleTimeoutMs?: number; environment?: Record<string, string> } = {},
) {
  const watched = new Map<string, RowEvents>();
  const list = route({
    method: 'get',
    path: '/v1/lists/{name}',
    operationId: 'list',
    summary: 'Rows',
    params: z.strictObject({ name: z.string() }),
    query: z.strictObject({
      rows: integerParameter({ minimum: 0, maximum: 9_999_999 }),
      failsAt: integerParameter({ minimum: 0, maximum: 9_999_999 }).optional(),
      waitsAt: integerParameter({ minimum: 0, maximum: 9_999_999 }).optional(),
      problem: z.literal('yes').optional(),
    }),
    responses: { 200: { description: 'A page', schema: z.strictObject({ rows: z.array(row) }) } },
    handle: () => ({ status: 200, body: { rows: [] } }),
    rows: {
      schema: row,
      columns: () => [
        { name: 'time', of: ({ time }) => time },
        { name: '=name', of: ({ name }) => name },
        { name: 'value', of: ({ value }) => value },
        { name: 'missing', of: ({ missing }) => missing },
      ],
      async *each({ params, query, signal }) {
        const released = Promise.withResolvers<undefined>();
        const state: RowEvents = {
          given: 0,
          ended: false,
          aborted: false,
          release: () => released.resolve(undefined),
        };
        watched.set(params.name, state);
        signal.addEventListener('abort', () => {
          state.aborted = true;
          released.resolve(undefined);
        });
        try {
          for (let index = 0; index < query.rows; index += 1) {
            if (query.waitsAt === index) await released.promise;
            if (query.failsAt === index) throw failure(query.problem);
            state.given += 1;
            yield {
              time: new Date(index),
              name: names[index % names.length],
              value: parseNumber(index % 2 === 0 ? '-0.12345678901234567890123' : '-5'),
            };
          }
        } finally {
          state.ended = true;
        }
      },
    },
  });
  return { ...(await startApp({ routes: [list], ...more })), watched };
}

function failure(problem: string | undefined): Error {
  return problem === undefined
    ? new Error('the secret cause')
    : new Problem('table-throttled', 'The table is busy.');
}
