import fc from 'fast-check';
import {
  activeShrink,
  begunShrink,
  familyShards,
  familyShardsToWrite,
  grownFamily,
  learnFamily,
  maxWriterStalenessMs,
  readPlanOf,
  shrunkEpochs,
  unsharded,
} from './family-shards.ts';
import { activationDelayMs, maxStalenessMs } from './shards.ts';
import type { FamilyShards, KnownFamily } from './family-shards.ts';

/** Maximum duration of a write that is in flight, and time from the start of a shrink to its end, in milliseconds. */
const maxWriteMs = 10_000;
const quiescenceMs = maxWriterStalenessMs + maxWriteMs;

const grown = (family: FamilyShards, now: number, demand = 0): FamilyShards => ({
  ...family,
  epochs: grownFamily(family as KnownFamily, { demand, now }).epochs,
});
const begun = (family: FamilyShards, now: number, count = 1): FamilyShards => ({
  ...family,
  shrink: begunShrink(family, count, now),
  version: family.version + 1,
});
const ended = ({ shrink, version }: FamilyShards): FamilyShards => ({
  epochs: shrink === undefined ? [] : shrunkEpochs(shrink),
  version: version + 1,
});
const at = (time: number) => ({ wall: time, steady: time });

const eight = grown(unsharded, 0, 5);

/** A published state, by time; `begunAt`: of a shrink that ends with it. */
interface Published {
  at: number;
  family: FamilyShards;
  begunAt?: number;
}

const step = fc.record({
  kind: fc.constantFrom('grow', 'begin', 'end'),
  after: fc.nat(60_000),
  demand: fc.nat(20),
  target: fc.constantFrom(1, 2, 4),
});
const history = fc.array(step, { minLength: 3, maxLength: 10 }).map((steps): Published[] => {
  const published: Published[] = [{ at: 0, family: eight }];
  let time = 0;
  let begunAt = 0;
  for (const { kind, after, demand, target } of steps) {
    const { family } = published.at(-1) ?? { family: eight };
    time += after;
    const isShrinking = activeShrink(family as KnownFamily) !== undefined;
    if (kind === 'grow') published.push({ at: time, family: grown(family, time, demand) });
    else if (kind === 'begin' && familyShards(family) > target) {
      begunAt = time;
      published.push({ at: time, family: begun(family, time, target) });
    } else if (kind === 'end' && isShrinking && familyShards(family) > 1) {
      time = Math.max(time, begunAt + quiescenceMs);
      published.push({ at: time, family: ended(family), begunAt });
    }
  }
  return published;
});

const publishedAt = (all: readonly Published[], time: number) =>
  all.findLast((each) => each.at <= time)?.family ?? unsharded;

describe('a family whose shards grow and shrink', () => {
  it('hides no entry, for any times of changes, reads of the map, writes and reads', () => {
    let high = 0;
    let moved = 0;
    const write = fc.record({
      looks: fc.array(fc.nat(500_000), { maxLength: 4 }),
      /** The map is also read this long before the write; later reads have failed. */
      age: fc.nat(20_000),
      time: fc.nat(500_000),
      took: fc.nat(maxWriteMs),
    });
    const read = fc.record({ after: fc.nat(60_000), age: fc.nat(maxStalenessMs) });
    fc.assert(
      fc.property(history, write, read, (published, { looks, age, time, took }, question) => {
        const last = Math.max(0, time - age);
        let known: KnownFamily = unsharded;
        for (const look of [...looks, last].toSorted((a, b) => a - b)) {
          if (look <= last) known = learnFamily(known, publishedAt(published, look), at(look));
        }
        const isStale = age > maxWriterStalenessMs;
        const used = isStale ? 1 : familyShardsToWrite(known, time);
        if (used > 1) high++;
        const stored = time + took;
        const asked = stored + question.after;
        const state = publishedAt(published, asked - question.age);
        // An entry of a higher shard is moved by the end of the shrink, since it was stored before the last check.
        const end = published.find((each) => each.begunAt !== undefined && each.at >= stored);
        const isMoved = end !== undefined && end.at <= asked - question.age;
        if (isMoved) moved++;
        else expect(used).toBeLessThanOrEqual(familyShards(state));
      }),
      { numRuns: 20_000 },
    );
    expect(Math.min(high, moved)).toBeGreaterThan(100);
  });

  it('has its writers in fewer shards at once, and its readers in these alone at its end', () => {
    const known = learnFamily(learnFamily(unsharded, eight, at(0)), eight, at(100_000));
    expect(readPlanOf(known, 100_000)).toEqual({ count: 8 });
    const shrinking = learnFamily(known, begun(eight, 100_000), at(100_000));
    expect(readPlanOf(shrinking, 100_000)).toEqual({ count: 8, movingBelow: 1 });
    expect(familyShardsToWrite(known, 100_000)).toBe(8);
    expect(familyShardsToWrite(shrinking, 100_000)).toBe(1);
    expect(activeShrink(shrinking)).toMatchObject({ usableAt: 100_000 + activationDelayMs });
    const done = learnFamily(shrinking, ended(begun(eight, 100_000)), at(200_000));
    expect(readPlanOf(done, 200_000)).toEqual({ count: 1 });
    expect(learnFamily(done, eight, at(200_001))).toBe(done);
    expect(learnFamily(done, begun(eight, 100_000), at(200_001))).toBe(done);
  });

  it('has all former shards again after a growth, with the order of moves while one may be in flight', () => {
    const shrinking = learnFamily(unsharded, begun(eight, 0), at(100_000));
    const cancelled = learnFamily(shrinking, grown(shrinking, 100_000), at(100_000));
    expect(activeShrink(cancelled)).toBeUndefined();
    expect(readPlanOf(cancelled, 130_000)).toEqual({ count: 8, movingBelow: 1 });
    expect(readPlanOf(cancelled, 140_000)).toEqual({ count: 8 });
    expect(familyShardsToWrite(cancelled, 100_000 + activationDelayMs)).toBe(8);
    // A growth beyond the former shards, and one at the maximum.
    expect(grownFamily(shrinking, { demand: 20, now: 0 })).toMatchObject({ before: 1, count: 32 });
    const most = learnFamily(unsharded, begun(grown(unsharded, 0, 64), 0), at(100_000));
    expect(grownFamily(most, { demand: 0, now: 0 })).toMatchObject({ before: 1, count: 64 });
  });
});
