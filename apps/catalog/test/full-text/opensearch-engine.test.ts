import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { declareLights, put, remove } from './lights.ts';
import { putTexts, removeTexts } from './many-texts.ts';
import { describeOnOpenSearch } from './opensearch-engine.ts';
import { startReplica, untilFound, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

describeOnOpenSearch('the full-text index in a real OpenSearch', (engine) => {
  let started: StartedTable;
  let running: Replica[];

  beforeEach(async () => {
    started = await startTable();
    running = [];
  });
  afterEach(async () => {
    for (const replica of running) await replica.close();
    await engine.removeIndexes();
    await started.close();
  });

  async function start(environment: Record<string, string> = {}): Promise<Replica> {
    const replica = await startReplica(started, environment);
    running.push(replica);
    return replica;
  }

  const onOpenSearch = () =>
    start({
      SEARCH_URL: engine.url,
      SEARCH_INDEX_PREFIX: engine.prefix,
      // A long timeout, so that no search times out on a slow machine.
      FULL_TEXT_TIMEOUT_MS: '60000',
    });

  it('finds the same entities as the embedded index', async () => {
    await putTexts(started, 300);
    const shared = await onOpenSearch();
    const embedded = await start();
    for (const replica of [shared, embedded]) await untilLoaded(replica);
    await declareLights(shared);
    await put(shared, 'a', { name: '居間の照明', note: 'Dimmable lamp' });
    await put(shared, 'b', { name: 'Lamp of the café' });
    await put(shared, 'c', { name: 'Lampshade' });
    await put(shared, 'gone', { name: 'Poltergeist' });
    await untilFound(shared, 'poltergeist', ['gone']);
    await remove(shared, 'gone');
    for (const replica of [shared, embedded]) await untilFound(replica, 'poltergeist', []);
    for (const q of [
      '照明',
      '明',
      'cafe',
      'n7',
      'n12 brass',
      'lamq',
      'dimmible',
      'x12',
      '床暖房 書斎',
    ]) {
      expect([q, await shared.found(q)]).toEqual([q, await embedded.found(q)]);
    }
  });

  it('ranks prefix matches', async () => {
    const shared = await onOpenSearch();
    await declareLights(shared);
    await put(shared, 'a', { name: 'lampshade, and a lot of other words about it' });
    await put(shared, 'b', { name: 'lampshade' });
    await put(shared, 'c', { name: 'lamp' });
    await untilFound(shared, 'lam', ['a', 'b', 'c']);
    const ranked = async (q: string) => (await shared.search({ q })).items.map(({ id }) => id);
    expect(await ranked('lamps')).toEqual(['b', 'a']);
    expect((await ranked('lamp'))[0]).toBe('c');
  });

  it.each(['write', 'read_only', 'read_only_allow_delete'])(
    'loses no change while index.blocks.%s is set',
    async (block) => {
      const shared = await onOpenSearch();
      await declareLights(shared);
      await put(shared, 'a', { name: 'Lamp' });
      await untilFound(shared, 'lamp', ['a']);
      await engine.setBlock(block, true);
      const failed = () => shared.metric('engawa_full_text_polls_total', { outcome: 'failed' });
      const before = await failed();
      await put(shared, 'b', { name: 'Lamp' });
      await until('polls to fail', async () => (await failed()) > before + 3);
      expect(await shared.found('lamp')).toEqual(['a']);
      await engine.setBlock(block, false);
      await untilFound(shared, 'lamp', ['a', 'b']);
    },
  );

  it('loses no change while the index is closed', async () => {
    const shared = await onOpenSearch();
    await declareLights(shared);
    await put(shared, 'a', { name: 'Lamp' });
    await untilFound(shared, 'lamp', ['a']);
    await engine.ask('POST', `${engine.prefix}-*/_close`);
    const failed = () => shared.metric('engawa_full_text_polls_total', { outcome: 'failed' });
    await put(shared, 'b', { name: 'Lamp' });
    await until('polls to fail', async () => (await failed()) > 3);
    await engine.ask('POST', `${engine.prefix}-*/_open`);
    await untilFound(shared, 'lamp', ['a', 'b']);
  });

  it('is rebuilt from many texts while the old index is searched', async () => {
    await putTexts(started, 3000);
    const shared = await onOpenSearch();
    await untilLoaded(shared);
    const [first] = await engine.indexes();
    expect(await shared.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    await until('a second index', async () => {
      const answer = await shared.ask(`/v1/search?q=${encodeURIComponent('n7 居間')}`);
      expect(answer).toMatchObject({ status: 200, body: { items: [{ id: 'n7' }] } });
      const indexes = await engine.indexes();
      return indexes.length === 1 && indexes[0] !== first;
    });
    expect(await shared.metric('engawa_full_text_documents')).toBe(3000);
    await removeTexts(started, 3000);
    expect(await shared.ask('/v1/search/rebuild', { method: 'POST' })).toMatchObject({
      status: 202,
    });
    await untilFound(shared, '居間', []);
  });
});
