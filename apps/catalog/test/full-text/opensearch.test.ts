import { catalogTaskKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { declareLights, put, remove } from './lights.ts';
import { OpenSearchDouble } from './opensearch-double.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

const unavailable = { status: 503, body: { type: '/problems/full-text-unavailable' } };

describe('the full-text index in OpenSearch', () => {
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

  async function start(login = '', environment: Record<string, string> = {}): Promise<Replica> {
    const url = { SEARCH_URL: `http://${login}${double.host}` };
    const replica = await startReplica(started, { ...url, ...environment });
    running.push(replica);
    return replica;
  }

  async function stop(replica: Replica): Promise<void> {
    running = running.filter((other) => other !== replica);
    await replica.close();
  }

  async function startSeeded(): Promise<Replica> {
    const replica = await start();
    await declareLights(replica);
    await put(replica, 'a', { name: '居間の照明', note: 'Dimmable lamp' });
    await put(replica, 'b', { name: 'Lamp of the café' });
    await untilFound(replica, 'lamp', ['a', 'b']);
    return replica;
  }

  const bulks = () => double.requests.filter(({ path }) => path.endsWith('/_bulk'));

  it('gives the same results as the embedded index', async () => {
    const replica = await startSeeded();
    const embedded = await startReplica(started);
    running.push(embedded);
    await untilLoaded(embedded);
    await put(replica, 'x', { name: 'Lamp' });
    await put(replica, 'y', { name: 'Lamp' }, 'Room');
    await untilFound(replica, 'lamp', ['a', 'b', 'x', 'y']);
    await remove(replica, 'x');
    for (const each of [replica, embedded]) await untilFound(each, 'lamp', ['a', 'b', 'y']);
    for (const q of [
      '照明',
      '明',
      '間',
      'la',
      'lamp cafe',
      'lamq',
      'dimmible lamp',
      '!',
      'la la',
      'cafe 照明',
    ]) {
      expect([q, await replica.found(q)]).toEqual([q, await embedded.found(q)]);
    }
    const { body } = await replica.ask('/v1/search?q=lamp&type=Room&limit=1&whole=true');
    expect(body).toMatchObject({ items: [{ type: 'Room', id: 'y', entity: { version: 1 } }] });
  });

  it('is updated by one replica at a time, and by another one after the first ends', async () => {
    const first = await startSeeded();
    const second = await start();
    await untilLoaded(second);
    expect(await second.found('lamp')).toEqual(['a', 'b']);
    const polls = async (replica: Replica) => replica.metric('engawa_full_text_changes_total');
    await put(second, 'c', { name: 'Lamp' });
    await untilFound(second, 'lamp', ['a', 'b', 'c']);
    expect(await polls(first)).toBeGreaterThan(0);
    expect(await polls(second)).toBe(0);
    // There is one index, created once.
    expect(double.indexes.size).toBe(1);
    const { asOf } = await second.search({ q: 'lamp' });
    await until(
      'another poll of the first replica',
      async () => (await second.search({ q: 'lamp' })).asOf > asOf,
    );

    await stop(first);
    await put(second, 'd', { name: 'Lamp' });
    await untilFound(second, 'lamp', ['a', 'b', 'c', 'd']);
    expect(double.indexes.size).toBe(1);
    expect(await second.metric('engawa_full_text_rebuild_seconds_count')).toBe(0);

    // The next replica need not wait for the lease of the stopped one.
    await stop(second);
    const turn = await started.table.get(catalogTaskKey('TEXT-INDEX', double.host));
    expect(turn).toMatchObject({ until: 0, rebuilding: false });
  });

  it('is rebuilt while the old index is searched, and replaces it atomically', async () => {
    const replica = await startSeeded();
    const [old = ''] = double.searched();
    const before = bulks().length;
    expect(await replica.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    await until('a second index', () => double.searched().some((name) => name !== old));
    expect(double.searched()).toHaveLength(1);
    expect(double.indexes.size).toBe(1);
    expect(double.aliases.size).toBe(1);
    expect(bulks().length).toBeGreaterThan(before);
    expect(await replica.found('lamp')).toEqual(['a', 'b']);
    await put(replica, 'c', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a', 'b', 'c']);
  });

  it('is rebuilt after a loss, and no index is created under its alias', async () => {
    const replica = await startSeeded();
    const [old = ''] = double.searched();
    double.indexes.clear();
    double.aliases.clear();
    await until('a second index', () => double.searched().length > 0);
    await untilFound(replica, 'lamp', ['a', 'b']);
    await put(replica, 'c', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a', 'b', 'c']);
    expect(double.searched()).toHaveLength(1);
    expect(double.searched()).not.toContain(old);
  });

  it('becomes stale while OpenSearch is down, and catches up afterwards', async () => {
    const replica = await startSeeded();
    double.fault = () => [503, { error: { type: 'cluster_block_exception' } }];
    expect(await replica.ask('/v1/search?q=lamp')).toMatchObject(unavailable);
    await put(replica, 'c', { name: 'Lamp' });
    const failed = () => replica.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    await until('a poll to fail', async () => (await failed()) > 0);
    double.fault = () => undefined;
    await untilFound(replica, 'lamp', ['a', 'b', 'c']);
  });

  it('cancels a search after the timeout', async () => {
    const replica = await start('', { FULL_TEXT_TIMEOUT_MS: '500' });
    await untilLoaded(replica);
    double.fault = ({ path }) => (path.endsWith('/_search') ? 'never' : undefined);
    expect(await replica.ask('/v1/search?q=lamp')).toMatchObject({
      status: 503,
      body: { type: '/problems/full-text-timeout' },
    });
    expect(await replica.metric('engawa_full_text_timeouts_total')).toBe(1);
  });

  it('adds missing fields to the index of an earlier release', async () => {
    const first = await startSeeded();
    await stop(first);
    const before = double.requests.length;
    await startSeeded();
    const requests = double.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(requests).toContainEqual(expect.stringMatching(/^POST .*-text\/_mapping$/));
  });

  it('retries temporary rejections, and skips permanent ones', async () => {
    const replica = await startSeeded();
    let tooMany = 2;
    double.fault = ({ path }) => {
      if (!path.endsWith('/_bulk') || tooMany-- <= 0) return undefined;
      const error = { type: 'opensearch_rejected_execution_exception' };
      return [200, { errors: true, items: [{ index: { status: 429, error } }] }];
    };
    await put(replica, 'c', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a', 'b', 'c']);
    expect(tooMany).toBeLessThan(0);
    double.fault = ({ path, body }) => {
      if (!path.endsWith('/_bulk') || !body.includes('poison')) return undefined;
      const error = { type: 'mapper_parsing_exception', reason: 'no' };
      return [200, { errors: true, items: [{ index: { status: 400, error } }] }];
    };
    await put(replica, 'd', { name: 'poison' });
    await until('the log line', () =>
      replica.logged.some((line) => line.includes('mapper_parsing')),
    );
    await put(replica, 'e', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a', 'b', 'c', 'e']);
  });

  it('keeps the change that was read last, from any sender', async () => {
    const replica = await startSeeded();
    const [sent] = bulks().filter(({ path }) => path.endsWith('-text/_bulk'));
    await put(replica, 'a', { name: 'Chandelier' });
    await put(replica, 'b', { name: 'Chandelier' });
    await untilFound(replica, 'chandelier', ['a', 'b']);
    // A delayed replica.
    const path = `http://${double.host}${sent?.path}?require_alias=true&refresh=true`;
    const again = await fetch(path, { method: 'PUT', body: sent?.body ?? '' });
    expect(await again.json()).toMatchObject({ errors: true });
    expect(await replica.found('lamp')).toEqual([]);
    expect(await replica.found('chandelier')).toEqual(['a', 'b']);
  });

  it('uses the password of its URL, and shows it in no log and no response', async () => {
    const password = 'p@ss/w%rd:é';
    double.credentials = `indexer:${password}`;
    const login = `indexer:${encodeURIComponent(password)}@`;
    const replica = await start(login);
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    await untilFound(replica, 'lamp', ['a']);
    double.credentials = 'indexer:another';
    const failed = () => replica.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    await put(replica, 'b', { name: 'Lamp' });
    await until('a poll to fail', async () => (await failed()) > 0);
    const answer = await replica.ask('/v1/search?q=lamp');
    expect(answer).toMatchObject(unavailable);
    double.close();
    expect(await replica.ask('/v1/search?q=lamp')).toMatchObject(unavailable);
    const said = [...replica.logged, JSON.stringify(answer.body)].join('\n');
    expect(said).toContain('index updates are failing');
    for (const secret of [
      password,
      encodeURIComponent(password),
      Buffer.from(`indexer:${password}`).toString('base64'),
    ]) {
      expect(said).not.toContain(secret);
    }
  });
});
