import {
  allOf,
  claimMs,
  ConditionFailed,
  isClaimable,
  isClaimedBy,
  newClaim,
  present,
} from '@engawa/table';
import { parseBuild } from './build.ts';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Build, BuildProgress } from './build.ts';

export interface Claimant {
  key: Key;
  /** Names this replica. */
  by: string;
}

export interface ClaimedBuild extends Claimant {
  build: Build;
}

/**
 * Claims a build, so that only one replica works on it; two would be correct, but wasteful.
 * @returns the current build, or when to retry; undefined where it is complete
 */
export async function claimBuild(
  table: Table,
  { key, by }: Claimant,
): Promise<ClaimedBuild | { retryMs: number } | undefined> {
  const now = Date.now();
  try {
    const item = await table.update(key, {
      set: { claim: newClaim(by, now) },
      onlyIf: allOf(present('pk'), isClaimable(by, now)),
    });
    return { key, by, build: parseBuild(item) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.item === undefined) return undefined;
    const until = parseBuild(error.item).claim?.until ?? now;
    return { retryMs: Math.min(Math.max(0, until - now) + 1000, claimMs) };
  }
}

/** @returns whether this replica still holds the claim */
export async function saveProgress(
  table: Table,
  { key, by, progress }: Claimant & { progress: BuildProgress },
): Promise<boolean> {
  const set = { progress: { ...progress } as Document, claim: newClaim(by, Date.now()) };
  return ifStillClaimed(table.update(key, { set, onlyIf: isClaimedBy(by) }));
}

/** Releases the claim, so that another replica can continue at once. */
export async function releaseBuild(table: Table, { key, by }: Claimant): Promise<void> {
  const onlyIf = isClaimedBy(by);
  await ifStillClaimed(table.update(key, { remove: ['claim'], onlyIf }));
}

async function ifStillClaimed(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
