import { connectTable, TableMetrics } from '@engawa/table';
import { until } from '@engawa/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { PolledTypes } from '../src/types/polled-types.ts';
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

  it('are soon those that another replica declares, changes and deletes', async () => {
    const [here, there] = [await start(looking), await start(looking)];
    await declare(here, { Thing: thing });
    await until('it to be known there', async () => (await statusOf(there, byName)) === 200);
    await putType(here, 'Thing', { attributes: thing.attributes });
    await until('it to be changed there', async () => {
      const { status, body } = await there.ask(byName);
      return status === 404 && (body as { type: string }).type.endsWith('search-not-found');
    });
    await here.ask(typePath('Thing'), { method: 'DELETE' });
    await until('it to be gone there', async () => {
      const { status, body } = await there.ask(byName);
      return status === 404 && (body as { type: string }).type.endsWith('type-not-found');
    });
  });

  it('include at once what this replica declares, whatever their number', async () => {
    const catalog = await start(quiet);
    // More than one page of 1 MB.
    const attributes = Array.from({ length: 100 }, (_, index) => ({
      name: `${index}${'漢'.repeat(125)}`,
      kind: 'text',
    }));
    for (let index = 0; index < 30; index++) {
      await declare(catalog, { [`T${index}`]: { attributes } });
      expect(await put(catalog, [`T${index}`, '1'], {})).toMatchObject({ status: 201 });
    }
    const other = await start(quiet);
    for (const type of ['T0', 'T29', 'T9']) {
      expect(await put(other, [type, '2'], {})).toMatchObject({ status: 201 });
    }
  });

  it('cost nobody who asks a request', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const cost = await catalog.costOf(async () => {
      for (let times = 0; times < 5; times++) {
        expect(await statusOf(catalog, byName)).toBe(200);
        expect(await statusOf(catalog, '/v1/search/Other/byName')).toBe(404);
      }
    });
    expect(cost).toEqual({ Query: 5 });
  });

  it('are looked for by who asks before they are known, and when the last look is long ago', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const log = pino({ enabled: false });
    const types = new PolledTypes({ table: started.table, log, intervalMs: 1 });
    expect(await types.get('Thing')).toMatchObject({ version: 1 });
    await putType(catalog, 'Thing', {});
    await until('it to be changed', async () => (await types.get('Thing')).version === 2);
    await declare(catalog, { More: {} });
    await until('it to be there', async () => (await types.all()).length === 2);
    await expect(types.get('Less')).rejects.toMatchObject({ code: 'type-not-found' });
  });

  it('are no longer answered once nobody can know whether they still hold, until somebody can', async () => {
    const catalog = await start(quiet);
    await declare(catalog, { Thing: thing });
    const metrics = new TableMetrics(new Registry());
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const location = { ...started.location, timeoutMs: 300 };
    const table = connectTable({ ...location, metrics, log: pino({ enabled: false }) });
    const types = new PolledTypes({ table, log, intervalMs: 20 });
    await types.start();
    try {
      expect(await types.get('Thing')).toMatchObject({ name: 'Thing' });
      for (const running of [catalog, started]) await running.close();
      const refused = await until('it to be refused', () =>
        types.get('Thing').then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
      expect(refused).toMatchObject({ code: 'table-unavailable' });
      await until('it to be said', () => lines.length > 0);
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
