import { catalogTaskKey } from '@engawa/keys';
import { entityItem, relationItem } from '@engawa/model';
import { connectTable, TableMetrics } from '@engawa/table';
import pino from 'pino';
import { Registry } from 'prom-client';
import { rollBack } from '../src/entities/staged/roll-forward.ts';
import { itemsOf, make, pathOf, put } from './entities.ts';
import { decides, isTransaction } from './gate.ts';
import { ids, medley, startTwoReplicas } from './two-replicas.ts';
import type { ProxiedRequest } from '@engawa/testing';
import type { Catalog } from './catalog.ts';
import type { Gate } from './gate.ts';
import type { StartedTable } from './table.ts';
import type { TwoReplicas } from './two-replicas.ts';

const begins = (request: ProxiedRequest) =>
  isTransaction(request) && request.body.includes('"staging"');
const stages = (request: ProxiedRequest) =>
  isTransaction(request) && request.body.includes('"staged"');

describe('a staged write of a stalled writer', () => {
  let started: StartedTable;
  let gate: Gate;
  let quick: Catalog;
  let slow: Catalog;

  let featuring: TwoReplicas['featuring'];
  let close: TwoReplicas['close'];

  beforeAll(async () => {
    ({ started, gate, quick, slow, featuring, close } = await startTwoReplicas());
  });
  afterAll(() => close());

  it.each([
    ['is begun', begins],
    ['stages', stages],
    ['is decided', decides],
  ])('is refused after a write of another replica before it %s', async (_, matches) => {
    await make(quick, ['Track', 'o', medley('old', ids.slice(0, 65))]);
    const { headers } = await quick.ask(pathOf('Track', 'o'));
    const held = gate.hold(matches);
    const next = medley('slow', ids.slice(65));
    const answer = put(slow, ['Track', 'o'], next, { 'if-match': headers.get('etag') ?? '' });
    await held.arrived;
    await make(quick, ['Track', 'o', medley('quick', ids.slice(0, 2))]);
    held.release();
    // The write is conditional on its read, so it is not retried.
    expect(await answer).toMatchObject({ status: 412 });
    expect(await featuring('o')).toEqual(ids.slice(0, 2));
    expect(JSON.stringify(await itemsOf(started.table, 'Track', 'o'))).not.toMatch(/stag|settles/);
  });

  it('has an intent record', async () => {
    const held = gate.hold(stages);
    const answer = put(slow, ['Track', 'n'], medley('n', ids));
    await held.arrived;
    const { pk, sk } = catalogTaskKey('WRITE', 'Track', 'n');
    const intentRecords = () =>
      started.table.query({ pk, sk: { beginsWith: sk }, consistent: true });
    expect((await intentRecords()).items).toMatchObject([{ at: expect.any(Number) as number }]);
    held.release();
    expect(await answer).toMatchObject({ status: 201 });
    expect((await intentRecords()).items).toEqual([]);
  });

  it('is rolled back, without rows that others have rewritten meanwhile', async () => {
    const from = { type: 'Track', id: 'c' };
    const own = {
      ...from,
      ...{ createdAt: 1, updatedAt: 1, version: 1, layout: 1, writeId: 'W', staging: 'W' },
      attributes: new Map([['title', 'c']]),
      one: new Map(),
    };
    const row = {
      ...{ from, to: { type: 'Artist', id: 'a000' }, relations: [], at: 1 },
      staged: { write: 'W', relations: ['featuring'] },
    };
    await started.table.put(entityItem(own, { shards: 1 }));
    await started.table.put(relationItem(row));
    const metrics = new TableMetrics(new Registry());
    const endpoint = gate.environment['DYNAMODB_ENDPOINT'] ?? '';
    const location = { ...started.location, endpoint, timeoutMs: 60_000 };
    const table = connectTable({ ...location, metrics, log: pino({ enabled: false }) });
    const held = gate.hold(({ operation, body }) => {
      return operation === 'DeleteItem' && body.includes('R#Artist');
    });
    const cleared = rollBack({ table }, from, 'W');
    await held.arrived;
    await make(quick, ['Track', 'c', medley('c', ['a000'])]);
    held.release();
    expect(await cleared).toBe('rolledBack');
    expect(await featuring('c')).toEqual(['a000']);
    table.close();
  });
});
