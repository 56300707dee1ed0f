import { connectTable, TableMetrics } from '@engawa/table';
import { until } from '@engawa/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { PolledTypes } from '../src/types/known/polled-types.ts';
import { catalogOn } from './catalog.ts';
import { declare, put, quiet } from './entities.ts';
import { startTable } from './table.ts';
import { putType, typePath } from './types.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const thing = {
  attributes: [{ name: 'name', kind: 'text' }],
  searches: [{ name: 'byName', parts: [{ attribute: 'name' }] }],
};
const looking = { ...quiet, TYPE_REFRESH_MS: '20', TYPE_SETTLE_MS: '0' };

describe('the types that a replica knows', () => {
  let started: StartedTable;
  let running: Catalog[] = [];
  // Each test starts replicas of its own: what they know depends on their polls since then.
  beforeEach(async () => (started = await startTable()));
  afterEach(async () => {
    for (const catalog of running.splice(0)) await catalog.close();
    await started.close();
  });

  async function start(environment: Record<string, string>): Promise<Catalog> {
    const catalog = await catalogOn(started, environment);
    running.push(catalog);
    return catalog;
  }

  const statusOf = async (catalog: Catalog, path: string) => (await catalog.ask(path)).status;
  const byName = '/v1/search/Thing/byName';

  it('soon include changes of other replicas', async () => {
    const [here, there] = [await start(looking), await start(looking)];
    await declare(here, { Thing: thing });
    await until(
      'the type to be known by the other replica',
      async () => (await statusOf(there, byName)) === 200,
    );
    await putType(here, 'Thing', { attributes: thing.attributes });
    await until('the change to reach the other replica', async () => {
      const { status, body } = await there.ask(byName);
      return status === 404 && (body as { type: string }).type.endsWith('search-not-found');
    });
    await here.ask(typePath('Thing'), { method: 'DELETE' });
    await until('the type to be removed from the other replica', async () => {
      const { status, body } = await there.ask(byName);
      return status === 404 && (body as { type: string }).type.endsWith('type-not-found');
    });
  });

  it('include changes of this replica at once', async () => {
    const catalog = await start(quiet);
    // The types exceed one page (1 MB).
    const attributes = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}${'漢'.repeat(125)}`,
      kind: 'text',
    }));
    for (let index = 0; index < 30; index++) {
      await declare(catalog, { [`T${index}`]: { attributes } });
      if (index % 3 > 0) continue;
      expect(await put(catalog, [`T${index}`, '1'], {})).toMatchObject({ status: 201 });
    }
    const other = await start(quiet);
    for (const type of ['T0', 'T29', 'T9']) {
      expect(await put(other, [type, '2'], {})).toMatchObject({ status: 201 });
    }
  });

  it('cost a request only if a name is unknown', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const cost = await catalog.costOf(async () => {
      for (let times = 0; times < 5; times++) {
        expect(await statusOf(catalog, byName)).toBe(200);
        expect(await statusOf(catalog, '/v1/search/Other/byName')).toBe(404);
      }
    });
    expect(cost).toEqual({ Query: 5, GetItem: 5 });
  });

  it('include types, searches and attributes declared by another replica at once', async () => {
    const [here, there] = [await start(quiet), await start(quiet)];
    const given = { attributes: { name: 'a' } };
    for (let times = 0; times < 8; times++) {
      const type = `Thing${times}`;
      await declare(here, { [type]: { attributes: thing.attributes } });
      expect(await put(there, [type, '1'], given)).toMatchObject({ status: 201 });
    }
    const attributes = [...thing.attributes, { name: 'size', kind: 'number' }];
    const rankings = [{ name: 'bySize', attribute: 'size' }];
    const relations = [{ name: 'in', to: 'Thing0' }];
    const more = { attributes, rankings, relations, searches: thing.searches };
    await declare(here, { Thing1: more, Thing2: more, Thing3: more, Thing4: more, New: more });
    const body = { attributes: { size: 1 }, relations: { in: '1' } };
    expect(await put(there, ['Thing1', '2'], body)).toMatchObject({ status: 201 });
    const path = '/v1/entities/Thing2/1';
    expect(await there.ask(path, { method: 'PATCH', body })).toMatchObject({ status: 200 });
    const line = { type: 'Thing3', id: '2', ...body };
    const made = await there.ask('/v1/entities', { method: 'POST', body: line });
    expect(made).toMatchObject({ body: { entities: { created: 1 } } });
    for (const asked of ['/v1/search/New/byName', '/v1/rankings/New/bySize']) {
      expect(await statusOf(there, asked)).toBe(200);
    }
    expect(await statusOf(there, '/v1/entities/Thing0/1/related/Thing4')).toBe(200);
    expect(await put(there, ['New', '2'], { attributes: { colour: 1 } })).toMatchObject({
      status: 400,
    });
  });

  it('are polled once for concurrent requests with unknown names', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const cost = await catalog.costOf(async () => {
      const asked = Array.from({ length: 50 }, () => statusOf(catalog, '/v1/search/Other/byName'));
      expect(new Set(await Promise.all(asked))).toEqual(new Set([404]));
    });
    expect(cost['GetItem']).toBeLessThan(25);
  });

  it('are polled by the caller before the first poll, and if the last poll is outdated', async () => {
    const catalog = await start({ ...quiet, TYPE_SETTLE_MS: '0' });
    await declare(catalog, { Thing: thing });
    const log = pino({ enabled: false });
    const types = new PolledTypes({ table: started.table, log, intervalMs: 1 });
    expect(await types.get('Thing')).toMatchObject({ version: 1 });
    await putType(catalog, 'Thing', {});
    await until('the change', async () => (await types.get('Thing')).version === 2);
    await declare(catalog, { More: {} });
    await until('the entity to exist', async () => (await types.all()).length === 2);
    await expect(types.get('Less')).rejects.toMatchObject({ code: 'type-not-found' });
  });

  it('are unavailable once the last poll is too old, until a poll succeeds', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const metrics = new TableMetrics(new Registry());
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const location = { ...started.location, timeoutMs: 2000 };
    const table = connectTable({ ...location, metrics, log: pino({ enabled: false }) });
    const types = new PolledTypes({ table, log, intervalMs: 20 });
    await types.start();
    try {
      expect(await types.get('Thing')).toMatchObject({ name: 'Thing' });
      for (const running of [catalog, started]) await running.close();
      const refused = await until('the request to be refused', () =>
        types.get('Thing').then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      expect(refused).toMatchObject({ code: 'table-unavailable' });
      await until('the log line', () => lines.length > 0);
      await expect(types.get('Thing')).rejects.toMatchObject({ code: 'table-unavailable' });
      expect(lines).toHaveLength(1);
    } finally {
      types.close();
      table.close();
      running = [];
      started = await startTable();
    }
  });
});
