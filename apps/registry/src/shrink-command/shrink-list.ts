import { moveEntries } from './move-entries.ts';
import type { ShardMap } from '@engawa/table';
import type { MoveOptions } from './move-entries.ts';

export interface ShrinkOptions extends Omit<MoveOptions, 'assertMovable'> {
  shards: ShardMap;
  /** Milliseconds from the start to the last check of the higher shards. */
  quiescenceMs: number;
}

/** Shards were added, or another command has another target. */
export class ShrinkCancelled extends Error {
  override name = 'ShrinkCancelled';
}

/** Milliseconds between two passes while entries are found, and two looks whether the shrink is usable. */
const retryMs = 500;

/**
 * Moves the entries of a list to its lower shards, then lets readers query only those (docs/adr/0144). The state is in
 * the shard map and in the entries, so it may be interrupted at any point, and repeated with the same target. A list
 * that has no more shards than `to` keeps its number; entries in shards that no reader queries are moved.
 * @returns the entries found in higher shards
 * @throws ShrinkCancelled
 */
export async function shrinkList(options: ShrinkOptions): Promise<number> {
  const { shards, list, to, clock, quiescenceMs } = options;
  const { family } = list;
  const shrinks = (await shards.toRead(family)) > to;
  if (shrinks) await begin(options);
  const quiescentAt = clock.now() + (shrinks ? quiescenceMs : 0);
  const moves = { ...options, assertMovable: () => assertTarget(options) };
  let found = 0;
  for (;;) {
    const isQuiescent = clock.now() >= quiescentAt;
    await assertTarget(options);
    const ofPass = await moveEntries(moves);
    found += ofPass;
    if (ofPass === 0 && isQuiescent) break;
    await clock.wait(ofPass === 0 ? quiescentAt - clock.now() : retryMs);
  }
  if (shrinks) await shards.endShrink(family);
  if ((await shards.toRead(family)) !== to) throw new ShrinkCancelled();
  return found;
}

/** Resolves when every reader queries the lower shards last. */
async function begin({ shards, list, to, clock }: ShrinkOptions): Promise<void> {
  await shards.beginShrink(list.family, to);
  for (;;) {
    const shrink = await shards.activeShrink(list.family);
    if (shrink?.count !== to) throw new ShrinkCancelled();
    if (shrink.isUsable) return;
    await clock.wait(retryMs);
  }
}

async function assertTarget({ shards, list: { family }, to }: ShrinkOptions): Promise<void> {
  const shrink = await shards.activeShrink(family);
  if ((shrink?.count ?? (await shards.toRead(family))) !== to) throw new ShrinkCancelled();
}
