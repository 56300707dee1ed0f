import { claimBuild, releaseBuild, saveProgress } from '../src/types/build/build-claim.ts';
import { buildKey, newBuildItem } from '../src/types/build/build.ts';
import { newType } from '../src/types/type-changes.ts';
import { startTable } from './table.ts';
import { tasksOf } from './types.ts';
import type { StartedTable } from './table.ts';

const nothing = { attributes: [], relations: [], searches: [], rankings: [], fullText: [] };
const type = newType('Song', nothing, 1000);
const key = buildKey({ type: 'Song', layout: 1 });
const [ours, theirs] = [
  { key, by: 'us' },
  { key, by: 'them' },
];

describe('the claim of a build', () => {
  let started: StartedTable;
  beforeEach(async () => {
    started = await startTable();
    await started.table.put(newBuildItem(type));
  });
  afterEach(() => started.close());

  it('is held by one replica at a time', async () => {
    const { table } = started;
    expect(await claimBuild(table, ours)).toMatchObject({ build: { progress: { done: 0 } } });
    expect(await claimBuild(table, ours)).toMatchObject({ build: { type: 'Song', layout: 1 } });
    const refused = (await claimBuild(table, theirs)) as { retryMs: number };
    expect(refused.retryMs).toBeGreaterThan(1000);
    expect(refused.retryMs).toBeLessThanOrEqual(60_000);
    const progress = { done: 5, shard: 0, after: { pk: 'a', sk: 'b' } };
    expect(await saveProgress(table, { ...theirs, progress })).toBe(false);
    await releaseBuild(table, theirs);
    expect(await saveProgress(table, { ...ours, progress })).toBe(true);
    expect(await claimBuild(table, theirs)).toHaveProperty('retryMs');
  });

  it('passes to another replica with the progress after its release or expiry', async () => {
    const { table } = started;
    await claimBuild(table, ours);
    const progress = { done: 5, shard: 1 };
    await saveProgress(table, { ...ours, progress });
    await releaseBuild(table, ours);
    expect(await claimBuild(table, theirs)).toMatchObject({ build: { progress } });
    expect(await saveProgress(table, { ...ours, progress: { done: 6, shard: 1 } })).toBe(false);
    await table.update(key, { set: { claim: { by: 'them', until: Date.now() - 1 } } });
    expect(await claimBuild(table, ours)).toMatchObject({ build: { progress } });
    // A clock that is hours ahead keeps nobody waiting for hours without asking again.
    await table.update(key, { set: { claim: { by: 'them', until: Date.now() + 1e8 } } });
    expect(await claimBuild(table, ours)).toEqual({ retryMs: 60_000 });
  });

  it('does not restart a completed build', async () => {
    const { table } = started;
    await claimBuild(table, ours);
    await table.delete(key);
    expect(await claimBuild(table, theirs)).toBeUndefined();
    expect(await saveProgress(table, { ...ours, progress: { done: 9, shard: 0 } })).toBe(false);
    await releaseBuild(table, ours);
    expect(await tasksOf(table)).toEqual([]);
  });
});
