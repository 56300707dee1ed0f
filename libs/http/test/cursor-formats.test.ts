import { expectResponse } from '../src/openapi/expect-response.ts';
import { CursorCodec, cursorContext } from '../src/paging/cursor-codec.ts';
import { listQuery, parsePosition, readPage } from '../src/paging/paging.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';
import { pino } from 'pino';
import { z } from 'zod';
import type { JsonValue } from '../src/paging/cursor-codec.ts';
import type { PageRequest } from '../src/paging/paging.ts';

const cursors = new CursorCodec({ secret: 'x'.repeat(32), log: pino({ enabled: false }) });
const context = cursorContext('list', {});

const list = route({
  method: 'get',
  path: '/v1/list',
  operationId: 'list',
  summary: 'Numbers',
  query: z.strictObject(listQuery),
  responses: {
    200: { description: 'A page', schema: z.strictObject({ items: z.array(z.int()) }) },
  },
  handle: async (call) => {
    const read = ({ after }: PageRequest) => {
      const start = parsePosition(z.int().optional(), after);
      return Promise.resolve({ items: [{ start }], positions: [start ?? 0] });
    };
    const listing = {
      cursors,
      cursorContext: () => context,
      read: (_: unknown, asked: PageRequest) => read(asked),
    };
    const { page } = await readPage(listing, call);
    return { status: 200, body: { items: page.items.map(({ start }) => start ?? 0) } };
  },
});

describe('a validly encrypted cursor of another release with another position', () => {
  it.each<JsonValue>(['text', 1.5, null, [1], { start: 1 }])('is a 400: %j', async (position) => {
    const app = await startApp({ routes: [list] });
    const cursor = cursors.encode(context, position);
    const answer = await fetch(`${app.url}/v1/list?cursor=${cursor}`);
    expect(await expectResponse(await app.contract(), answer)).toMatchObject({
      status: 400,
      type: '/problems/invalid-cursor',
      errors: [{ path: 'query.cursor' }],
    });
    await app.close();
  });
});
