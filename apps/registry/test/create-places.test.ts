import { openBeforeAll } from '@engawa/testing';
import { build, itemsOf, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

function post(body: unknown, type = 'application/json'): Promise<TestResponse> {
  return registry.ask('/v1/places', { method: 'POST', headers: { 'content-type': type }, body });
}

const lines = (...entries: (object | string)[]) =>
  entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join('\n');

const none = { created: 0, existing: 0 };

describe('POST /v1/places', () => {
  it('creates places with their rooms, and reports existing ones when repeated', async () => {
    const rooms = ['hall', 'attic'].map((id) => ({ id, name: `Room ${id}` }));
    const body = lines({ id: 'p1', name: 'First', rooms }, '', { id: 'p2', name: 'Second' });
    expect(await post(body, 'application/x-ndjson')).toMatchObject({
      status: 200,
      body: {
        places: { created: 2, existing: 0 },
        rooms: { created: 2, existing: 0 },
        failed: 0,
        errors: [],
      },
    });
    const { body: first } = await registry.ask('/v1/places/p1');
    expect(first).toMatchObject({
      name: 'First',
      rooms: [{ id: 'attic', name: 'Room attic' }, { id: 'hall' }],
    });
    const more = [...rooms, { id: 'cellar', name: 'Cellar' }];
    const again = lines({ id: 'p1', name: 'Other', rooms: more }, { id: 'p2', name: 'Second' });
    expect((await post(again, 'application/x-ndjson')).body).toMatchObject({
      places: { created: 0, existing: 2 },
      rooms: { created: 1, existing: 2 },
    });
    expect((await registry.ask('/v1/places/p1')).body).toMatchObject({
      name: 'First',
      rooms: [{ id: 'attic' }, { id: 'cellar' }, { id: 'hall' }],
    });
  });

  it('takes one place, or an array of them', async () => {
    expect((await post({ id: 'single', name: 'Single' })).body).toMatchObject({
      places: { created: 1 },
    });
    const { body } = await post([{ id: 'array-1', name: 'A' }, 7, { id: 'array-2', name: 'B' }]);
    expect(body).toMatchObject({ places: { created: 2 }, failed: 1, errors: [{ line: 2 }] });
    expect((await post([])).body).toMatchObject({ places: none, rooms: none, failed: 0 });
  });

  it('reports the error of each invalid line, and creates the others', async () => {
    const twice = ['x', 'x'].map((id) => ({ id, name: id }));
    const tooMany = Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, name: 'x' }));
    const body = lines(
      { id: 'good-1', name: 'Good' },
      '{"id":',
      { id: '..', name: 'x' },
      { id: 'bad-1' },
      { id: 'bad-2', name: 'x', owner: 'me' },
      { id: 'bad-3', name: 'x', rooms: twice },
      { id: 'bad-4', name: 'x', rooms: tooMany },
      `{"id":"bad-5","name":"${'x'.repeat(1_000_000)}"}`,
      '"__proto__"',
      { id: 'good-2', name: 'Good' },
    );
    const answer = await post(body, 'application/x-ndjson');
    expect(answer.status).toBe(200);
    const { places, failed, errors } = answer.body as {
      places: object;
      failed: number;
      errors: { line: number; message: string }[];
    };
    expect(places).toEqual({ created: 2, existing: 0 });
    expect(failed).toBe(8);
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(errors[1]?.message).toContain('id: ');
    expect(errors[6]?.message).toContain('has more than 1000000 bytes');
    const found = itemsOf(await walk(registry, '/v1/places', { namePrefix: 'x' }));
    expect(found).toEqual([]);
  });

  it('names the first hundred errors only', async () => {
    const body = lines(...Array.from({ length: 150 }, () => '{}'));
    const answer = await post(body, 'application/x-ndjson');
    const { failed, errors } = answer.body as { failed: number; errors: unknown[] };
    expect(failed).toBe(150);
    expect(errors).toHaveLength(100);
  });

  it('creates a thousand, each once, although some are repeated', async () => {
    const entries = Array.from({ length: 1000 }, (_, index) => {
      const id = `many-${index % 900}`;
      return { id, name: `Many ${index % 900}`, rooms: [{ id: 'r', name: 'Room' }] };
    });
    const { body } = await post(lines(...entries), 'application/x-ndjson');
    expect(body).toMatchObject({
      places: { created: 900, existing: 100 },
      rooms: { created: 900, existing: 100 },
      failed: 0,
    });
    const pages = await walk(registry, '/v1/places', { namePrefix: 'many', limit: '1000' });
    expect(itemsOf(pages)).toHaveLength(900);
  });

  it('creates one new room among 99', async () => {
    await build(registry, 'full', ['r50']);
    const rooms = Array.from({ length: 99 }, (_, id) => ({ id: `r${id}`, name: 'x' }));
    expect((await post({ id: 'full', name: 'Full', rooms })).body).toMatchObject({
      rooms: { created: 98, existing: 1 },
    });
    expect((await registry.ask(pathOf('rooms', 'full', 'r50'))).body).toMatchObject({
      name: 'r50',
    });
  });

  it.each([
    ['{"id":', 'application/json', 400],
    ['', 'application/json', 400],
    ['{}', 'text/plain', 415],
    [`[${'1,'.repeat(600_000)}1]`, 'application/json', 413],
  ])('refuses an invalid body (case %#)', async (body, type, status) => {
    expect(await post(body, type)).toMatchObject({ status });
  });
});
