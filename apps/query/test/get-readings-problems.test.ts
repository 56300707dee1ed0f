import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const range = 'from=2026-11-20T09:00:00Z&to=2026-11-20T10:00:00Z';

describe('GET /v1/devices/{id}/readings refuses', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  let cursor: string;
  beforeAll(async () => {
    const blocks = single([0, 1, 2].map((index) => aReading({ time: start + index })));
    await query.place({ id: 'x', blocks });
    await query.place({ id: 'y', blocks });
    const { body } = await query.ask(`/v1/devices/x/readings?${range}&limit=1`);
    cursor = (body as ReadingsPage).cursor ?? '';
  });

  it('an unknown device', async () => {
    const { status, body } = await query.ask('/v1/devices/nobody/readings');
    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: 'There is no device "nobody".' });
  });

  it('a device until it is registered', async () => {
    const path = `/v1/devices/new/readings?${range}`;
    expect((await query.ask(path)).status).toBe(404);
    await query.place({ id: 'new' });
    expect((await query.ask(path)).status).toBe(200);
  });

  it('all invalid parameters at once', async () => {
    const { status, body } = await query.ask(
      '/v1/devices/x/readings?form=1&limit=0&order=up&fields=a,,b&from=yesterday',
    );
    expect(status).toBe(400);
    const faults = (body as { errors: { path: string }[] }).errors.map(({ path }) => path);
    expect(faults.sort()).toEqual([
      'query.fields',
      'query.form',
      'query.from',
      'query.limit',
      'query.order',
    ]);
  });

  it.each([
    [
      'from=2026-11-20T10:00:00Z&to=2026-11-20T09:00:00Z',
      'query.from must not be after query.to: query.from is 2026-11-20T10:00:00.000Z, query.to is 2026-11-20T09:00:00.000Z.',
    ],
    ['from=9999-01-01T00:00:00Z', '(now, since it was not given)'],
    [
      'from=2025-01-01T00:00:00Z&to=2026-11-20T09:00:00Z',
      'query.from must be at most 366 days before query.to',
    ],
  ])('an invalid range: %s', async (parameters, detail) => {
    const { status, body } = await query.ask(`/v1/devices/x/readings?${parameters}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: expect.stringContaining('invalid-request') as string,
      detail: expect.stringContaining(detail) as string,
      errors: [{ path: 'query.from' }, { path: 'query.to' }],
    });
  });

  it('no valid cursor, also with another limit', async () => {
    const path = `/v1/devices/x/readings?${range}&limit=5&cursor=${cursor}`;
    const { status, body } = await query.ask(path);
    expect(status).toBe(200);
    expect((body as ReadingsPage).items).toHaveLength(2);
  });

  it('a cursor with any one character changed', async () => {
    for (let index = 0; index < cursor.length; index++) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      const { status, body } = await query.ask(`/v1/devices/x/readings?${range}&cursor=${changed}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ path: 'query.cursor' }] });
    }
  });

  it.each([
    ['device', `/v1/devices/y/readings?${range}`],
    ['range', '/v1/devices/x/readings?from=2026-11-20T09:00:00Z&to=2026-11-20T11:00:00Z'],
    ['order', `/v1/devices/x/readings?${range}&order=desc`],
    ['choice of fields', `/v1/devices/x/readings?${range}&fields=temperature`],
  ])('a cursor of another %s', async (_, path) => {
    const { status, body } = await query.ask(`${path}&cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: expect.stringContaining('invalid-cursor') as string });
  });
});
