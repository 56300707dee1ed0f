import { openBeforeEach } from '@engawa/testing';
import { claimBuild, releaseBuild, saveProgress } from '../src/types/build/build-claim.ts';
import { buildKey, newBuildItem } from '../src/types/build/build.ts';
import { newType } from '../src/types/type-changes.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';

const nothing = { attributes: [], relations: [], searches: [], rankings: [], fullText: [] };
const type = newType('Song', nothing, 1000);
const key = buildKey({ type: 'Song', layout: 1 });
const [first, second] = [
  { key, by: 'us' },
  { key, by: 'them' },
];

describe('the claim of a build', () => {
  const started = openBeforeEach(startTable);
  beforeEach(() => started.table.put(newBuildItem(type)));

  it('is held by one replica at a time', async () => {
    const { table } = started;
    expect(await claimBuild(table, first)).toMatchObject({ build: { progress: { done: 0 } } });
    expect(await claimBuild(table, first)).toMatchObject({ build: { type: 'Song', layout: 1 } });
    const refused = (await claimBuild(table, second)) as { retryMs: number };
    expect(refused.retryMs).toBeGreaterThan(1000);
    expect(refused.retryMs).toBeLessThanOrEqual(60_000);
    const progress = { done: 5, shard: 0, after: { pk: 'a', sk: 'b' } };
    expect(await saveProgress(table, { ...second, progress })).toBe(false);
    await releaseBuild(table, second);
    expect(await saveProgress(table, { ...first, progress })).toBe(true);
    expect(await claimBuild(table, second)).toHaveProperty('retryMs');
  });

  it('passes to another replica with its progress after release or expiry', async () => {
    const { table } = started;
    await claimBuild(table, first);
    const progress = { done: 5, shard: 1 };
    await saveProgress(table, { ...first, progress });
    await releaseBuild(table, first);
    expect(await claimBuild(table, second)).toMatchObject({ build: { progress } });
    expect(await saveProgress(table, { ...first, progress: { done: 6, shard: 1 } })).toBe(false);
    await table.update(key, { set: { claim: { by: 'them', until: Date.now() - 1 } } });
    expect(await claimBuild(table, first)).toMatchObject({ build: { progress } });
    // A claimant's clock that is hours ahead must not delay the next attempt by hours.
    await table.update(key, { set: { claim: { by: 'them', until: Date.now() + 1e8 } } });
    expect(await claimBuild(table, first)).toEqual({ retryMs: 60_000 });
  });

  it('does not restart a completed build', async () => {
    const { table } = started;
    await claimBuild(table, first);
    await table.delete(key);
    expect(await claimBuild(table, second)).toBeUndefined();
    expect(await saveProgress(table, { ...first, progress: { done: 9, shard: 0 } })).toBe(false);
    await releaseBuild(table, first);
    expect(await tasksOf(table)).toEqual([]);
  });
});
