import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@engawa/testing';
import { SqliteTextIndex } from '../../src/full-text/sqlite/sqlite-text-index.ts';
import { startTextWorker } from '../../src/full-text/sqlite/text-worker-thread.ts';
import { TextIndexFull, TextIndexLost } from '../../src/full-text/text-index.ts';
import { textOf } from './many-texts.ts';
import { plainQuery } from './plain-query.ts';
import type { Worker } from 'node:worker_threads';
import type { TextRow } from '@engawa/model';

const rowOf = (number: number, text: string | undefined = textOf(number)): TextRow => ({
  entity: { type: 'Many', id: `n${number}` },
  texts: new Map([['name', text]]),
  changedAt: 1,
});
const rows = (count: number) => Array.from({ length: count }, (_, number) => rowOf(number));

/** Words that are in no other text, so that few texts make a large index. */
const rareText = (number: number) =>
  Array.from({ length: 40 }, (_, index) =>
    createHash('sha256').update(`${number} ${index}`).digest('hex'),
  ).join(' ');

describe('the full-text index in SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-test-'));
  const replicaFolders = () => readdirSync(folder).filter((name) => name.startsWith('replica-'));
  let workers: Worker[];
  let indexes: SqliteTextIndex[];

  beforeEach(() => {
    workers = [];
    indexes = [];
  });
  afterEach(async () => {
    for (const index of indexes) await index.close();
    expect(replicaFolders()).toEqual([]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function build(count: number, { maxBytes = 1e9 } = {}): Promise<SqliteTextIndex> {
    const index = new SqliteTextIndex({
      folder,
      maxBytes,
      startWorker: (data) => {
        const worker = startTextWorker(data);
        workers.push(worker);
        return worker;
      },
    });
    indexes.push(index);
    await fill(index, count);
    return index;
  }

  async function fill(index: SqliteTextIndex, count: number): Promise<void> {
    const beside = await index.beginBuild();
    await beside.apply(rows(count), 0);
    await beside.activate();
  }

  async function search(index: SqliteTextIndex, q: string, signal = new AbortController().signal) {
    return (await index.search({ ...plainQuery(q), signal })).found;
  }
  const idsOf = (found: readonly { entity: { id: string } }[]) =>
    found.map(({ entity }) => entity.id);

  it('does not block the event loop during a search', async () => {
    const index = await build(2000);
    let turns = 0;
    let isDone = false;
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    // 居間 and 寝室 are in every text.
    const found = await search(index, '居 間 寝 室').finally(() => (isDone = true));
    expect(found).toHaveLength(20);
    expect(turns).toBeGreaterThan(10);
  });

  it('cancels an aborted search, and answers others', async () => {
    const index = await build(2000);
    const caller = new AbortController();
    const [first, second] = [search(index, '居間', caller.signal), search(index, '寝室')];
    caller.abort(new Error('no longer wanted'));
    await expect(first).rejects.toThrow('no longer wanted');
    expect(await second).toHaveLength(20);
    const late = search(index, '居間', AbortSignal.abort(new Error('too late')));
    await expect(late).rejects.toThrow('too late');
  });

  it('refuses searches beyond the queue limit', async () => {
    const index = await build(2000);
    const searches = Array.from({ length: 65 }, () => search(index, '居間'));
    const outcomes = await Promise.allSettled(searches);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'overloaded' } }]);
    expect(await search(index, '居間')).toHaveLength(20);
  });

  it('is lost with its thread, and rebuilt in a new thread', async () => {
    const index = await build(100);
    const [worker] = workers;
    const waiting = search(index, 'n7');
    await worker?.terminate();
    await waiting.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'full-text-unavailable' });
    });
    expect(await index.exists()).toBe(false);
    expect(index.documents).toBe(0);
    await expect(index.apply(rows(1))).rejects.toThrow(TextIndexLost);
    await expect(search(index, 'n7')).rejects.toMatchObject({ code: 'full-text-unavailable' });
    await fill(index, 50);
    expect(workers).toHaveLength(2);
    expect(idsOf(await search(index, 'n7'))).toEqual(['n7']);
    expect(index.documents).toBe(50);
  });

  it('reports a build as lost if its thread ends', async () => {
    const index = await build(10);
    const beside = await index.beginBuild();
    await beside.apply(rows(500), 0);
    await workers[0]?.terminate();
    await expect(beside.apply(rows(1), 0)).rejects.toThrow(TextIndexLost);
    await expect(beside.activate()).rejects.toThrow(TextIndexLost);
    await fill(index, 20);
    expect(index.documents).toBe(20);
  });

  it('is lost if its file is damaged, and the file is deleted', async () => {
    const index = await build(0);
    const large = Array.from({ length: 5000 }, (_, number) => rowOf(number, rareText(number)));
    await index.apply(large);
    // More than the page cache holds.
    expect(index.bytes).toBeGreaterThan(1.5 * 8192 * 1024);
    const [replica = ''] = replicaFolders();
    const [file = ''] = readdirSync(join(folder, replica)).filter((name) => /^\d+\.db$/.test(name));
    writeFileSync(join(folder, replica, file), 'x'.repeat(index.bytes));
    await until('the damage to be found', async () => {
      const outcome = await index.apply(large.slice(0, 500)).catch((error: unknown) => error);
      return outcome instanceof TextIndexLost;
    });
    expect(await index.exists()).toBe(false);
    expect(readdirSync(join(folder, replica)).some((name) => name === file)).toBe(false);
    await expect(search(index, '居間')).rejects.toMatchObject({ code: 'full-text-unavailable' });
    await fill(index, 10);
    expect(workers).toHaveLength(1);
    expect(idsOf(await search(index, 'n7'))).toEqual(['n7']);
  });

  it('is deleted if it exceeds its maximum size, live or during a build', async () => {
    const index = await build(200, { maxBytes: 400_000 });
    const beside = await index.beginBuild();
    await expect(beside.apply(rows(4000), 0)).rejects.toMatchObject({ live: false });
    expect(idsOf(await search(index, 'n7 居間'))).toEqual(['n7']);
    const overfull = index.apply(rows(4000));
    await expect(overfull).rejects.toThrow(TextIndexFull);
    await expect(overfull).rejects.toMatchObject({ live: true });
    expect(await index.exists()).toBe(false);
    expect([index.bytes, index.documents]).toEqual([0, 0]);
    await fill(index, 100);
    expect(index.bytes).toBeLessThan(400_000);
    expect(index.documents).toBe(100);
  });

  it('deletes folders of killed processes, and none of running processes', async () => {
    const running = await build(10);
    const left = join(folder, 'replica-killed');
    mkdirSync(left);
    for (const name of ['in-use.db', '1.db']) writeFileSync(join(left, name), 'cut off');
    const other = await build(10);
    expect(replicaFolders()).toHaveLength(2);
    for (const index of [running, other]) {
      expect(idsOf(await search(index, 'n7'))).toEqual(['n7']);
    }
  });

  it('is built by each of many replicas that start and end concurrently', async () => {
    const started = await Promise.allSettled(Array.from({ length: 8 }, () => build(10)));
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
    await Promise.all(indexes.splice(0).map((index) => index.close()));
  });
});
