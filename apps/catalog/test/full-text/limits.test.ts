import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { startChild } from './child-replica.ts';
import { declareLights, put } from './lights.ts';
import { putTexts, removeTexts } from './many-texts.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

describe('the limits of the full-text index of a replica', () => {
  let started: StartedTable;
  let folder: string;
  const replicaFolders = () => readdirSync(folder).filter((name) => name.startsWith('replica-'));
  const closers: (() => unknown)[] = [];

  // Each test starts replicas of its own: it tests builds of the index of a table.
  beforeEach(async () => {
    started = await startTable();
    folder = mkdtempSync(join(tmpdir(), 'engawa-test-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
    await started.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(environment: Record<string, string>): Promise<Replica> {
    const given = { FULL_TEXT_FOLDER: folder, ...environment };
    const replica = await startReplica(started, given);
    closers.push(() => replica.close());
    return replica;
  }

  it('time out a slow search without affecting other requests', async () => {
    await putTexts(started, 2500);
    const replica = await start({ FULL_TEXT_TIMEOUT_MS: '1' });
    await declareLights(replica);
    // A search without words is answered without the index.
    await until(
      'the index to be built',
      async () => (await replica.ask('/v1/search?q=!')).status === 200,
    );
    const slow = await replica.ask(`/v1/search?q=${encodeURIComponent('居 間 寝 室')}`);
    expect(slow).toMatchObject({ status: 503, body: { type: '/problems/full-text-timeout' } });
    expect(slow.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await replica.metric('engawa_full_text_timeouts_total')).toBe(1);
    await put(replica, 'a', { name: 'Lamp' });
    expect(await replica.ask('/v1/entities/Light/a')).toMatchObject({ status: 200 });
    const documents = () => replica.metric('engawa_full_text_documents');
    await until('the index to be current', async () => (await documents()) === 2501);
  });

  it('answer 503 if the texts exceed the maximum size, until a rebuild with fewer texts', async () => {
    await putTexts(started, 1000);
    const replica = await start({ FULL_TEXT_MAX_BYTES: '200000' });
    const search = () => replica.ask('/v1/search?q=lamp');
    const typeOf = async () => ((await search()).body as { type?: string }).type;
    await until('the index to exceed its size', async () =>
      (await typeOf())?.endsWith('too-large'),
    );
    const refused = await search();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    expect(await replica.ask('/v1/entities/Light/a')).toMatchObject({ status: 200 });
    // The build is not retried: each attempt would read the table.
    const polls = () => replica.metric('engawa_full_text_polls_total', { outcome: 'ok' });
    const [before, read] = [await polls(), await replica.metric('engawa_full_text_changes_total')];
    await until('more polls', async () => (await polls()) > before + 5);
    expect(await replica.metric('engawa_full_text_changes_total')).toBe(read);
    expect(readdirSync(join(folder, replicaFolders()[0] ?? ''))).toEqual(['in-use.db']);
    expect(
      replica.logged.filter((line) => line.includes('index updates are failing')),
    ).toHaveLength(1);

    await removeTexts(started, 1000);
    expect(await replica.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    await untilFound(replica, 'lamp', ['a']);
    expect(await replica.metric('engawa_full_text_bytes')).toBeGreaterThan(0);
    expect(await replica.metric('engawa_full_text_bytes')).toBeLessThan(200_000);
  });

  it('delete the files of a process that was killed during a build', async () => {
    await putTexts(started, 3000);
    const killed = await startChild(started, {
      heapMb: 128,
      environment: { FULL_TEXT_FOLDER: folder },
    });
    closers.push(() => killed.kill('SIGKILL'));
    const filesIn = (name: string) => readdirSync(join(folder, name));
    await until('a build to start', () =>
      replicaFolders().some((name) => filesIn(name).includes('1.db')),
    );
    await killed.kill('SIGKILL');
    const [left] = replicaFolders();
    expect(left).toBeDefined();
    const replica = await start({});
    await untilLoaded(replica);
    expect(replicaFolders()).not.toContain(left);
    expect(replicaFolders()).toHaveLength(1);
    expect(await replica.metric('engawa_full_text_documents')).toBe(3000);
    expect((await replica.search({ q: 'n2999' })).items).toMatchObject([{ id: 'n2999' }]);
  });

  it('affect only searches if the folder is not writable', async () => {
    const replica = await start({ FULL_TEXT_FOLDER: '/dev/null/engawa' });
    await declareLights(replica);
    await put(replica, 'a', { name: 'Lamp' });
    expect(await replica.ask('/v1/entities/Light/a')).toMatchObject({ status: 200 });
    expect(await replica.ask('/v1/search?q=lamp')).toMatchObject({
      status: 503,
      body: { type: '/problems/full-text-unavailable' },
    });
    await until('the log line', () => replica.logged.some((line) => line.includes('ENOTDIR')));
  });
});
