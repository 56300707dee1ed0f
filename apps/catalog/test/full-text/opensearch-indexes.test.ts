import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { declareLights, put } from './lights.ts';
import { putTexts } from './many-texts.ts';
import { OpenSearchDouble } from './opensearch-double.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

describe('the indexes in OpenSearch', () => {
  let started: StartedTable;
  let double: OpenSearchDouble;
  let running: Replica[];

  // Each test starts replicas of its own: it tests builds of the index of a table.
  beforeEach(async () => {
    started = await startTable();
    double = await OpenSearchDouble.start();
    running = [];
  });
  afterEach(async () => {
    for (const replica of running) await replica.close();
    double.close();
    await started.close();
  });

  async function start(environment: Record<string, string> = {}): Promise<Replica> {
    const given = { SEARCH_URL: `http://${double.host}`, ...environment };
    const replica = await startReplica(started, given);
    running.push(replica);
    return replica;
  }

  const bulks = () => double.requests.filter(({ path }) => path.endsWith('/_bulk'));

  it.each([
    ['403', 403, 'cluster_block_exception'],
    ['403 for lack of a role', 403, 'security_exception'],
    ['400 of a closed index', 400, 'index_closed_exception'],
    ['400 of a mapping that is strict', 400, 'strict_dynamic_mapping_exception'],
  ])('lose no text if writes are temporarily answered with %s', async (_, status, type) => {
    const replica = await start();
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a']);
    double.fault = ({ path }) =>
      path.endsWith('/_bulk')
        ? [200, { errors: true, items: [{ index: { status, error: { type } } }] }]
        : undefined;
    const [sent, { asOf }] = [bulks().length, await replica.search({ q: 'lamp' })];
    await put(replica, 'b', { name: 'Lamp' });
    await until('the request to be retried', () => bulks().length > sent + 3);
    const failed = () => replica.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    expect(await failed()).toBeGreaterThan(1);
    // The result is not reported as current.
    const during = (await replica.search({ q: 'lamp' })).asOf;
    expect((await replica.search({ q: 'lamp' })).asOf).toBe(during);
    expect(during >= asOf).toBe(true);
    double.fault = () => undefined;
    await untilFound(replica, 'lamp', ['a', 'b']);
  });

  it('are reduced to one after an aborted build', async () => {
    double.fault = ({ path }) =>
      path.endsWith('-filling/_bulk') ? [503, { error: { type: 'not_now' } }] : undefined;
    await putTexts(started, 3);
    const first = await start();
    await until('a build to start', () =>
      bulks().some(({ path }) => path.endsWith('-filling/_bulk')),
    );
    running = [];
    await first.close();
    double.fault = () => undefined;
    expect(double.indexes.size).toBe(1);
    const [left] = double.indexes.keys();
    const second = await start();
    await untilLoaded(second);
    await untilFound(second, '居間', ['n0', 'n1', 'n2']);
    expect([...double.indexes.keys()]).toEqual(double.searched());
    expect(double.searched()).not.toContain(left);
  });

  it('are rebuilt if the index is deleted during its build', async () => {
    const [building, notNow] = ['-filling/_bulk', { error: { type: 'not_now' } }];
    double.fault = ({ path }) => (path.endsWith(building) ? [503, notNow] : undefined);
    await putTexts(started, 3);
    const replica = await start();
    await until('a build to start', () => bulks().length > 0);
    double.indexes.clear();
    double.aliases.clear();
    double.fault = () => undefined;
    await untilFound(replica, '居間', ['n0', 'n1', 'n2']);
    expect(double.indexes.size).toBe(1);
  });

  it('of an aborted build are deleted by the next replica that acquires the lease', async () => {
    const first = await start();
    await untilLoaded(first);
    const [searched = ''] = double.searched();
    running = [];
    await first.close();
    // An index of a replica that was killed before it published its rebuild.
    const left = searched.replace(/-[\da-f]{8}$/, '-00c0ffee');
    double.indexes.set(left, new Map());
    const another = searched.replace('-text-', '-text-another-');
    double.indexes.set(another, new Map());
    await untilLoaded(await start());
    await until('the deletion', () => !double.indexes.has(left));
    expect([...double.indexes.keys()].sort()).toEqual([searched, another].sort());
  });

  it('have different names in environments with equal table names', async () => {
    const [production, staging] = [await start(), await start({ SEARCH_INDEX_PREFIX: 'staging' })];
    for (const replica of [production, staging]) await untilLoaded(replica);
    const names = double.searched();
    expect(names.map((name) => name.split('-')[0]).sort()).toEqual(['engawa', 'staging']);
    await declareLights(production);
    await put(production, 'a', { name: 'Lamp' });
    for (const replica of [production, staging]) await untilFound(replica, 'lamp', ['a']);
    expect(double.indexes.size).toBe(2);
  });

  it('have the same part of a long text as the embedded index', async () => {
    const [shared, embedded] = [await start(), await startReplica(started)];
    running.push(embedded);
    await declareLights(shared);
    const filler = 'word '.repeat(14_000);
    await put(shared, 'a', { name: `first ${filler} last` });
    for (const replica of [shared, embedded]) {
      await untilFound(replica, 'first', ['a']);
      expect(await replica.found('last')).toEqual([]);
    }
  });
});
