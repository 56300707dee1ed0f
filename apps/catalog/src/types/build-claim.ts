import { absent, allOf, anyOf, ConditionFailed, equal, less, present } from '@engawa/table';
import { parseBuild } from './build.ts';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Build, BuildProgress } from './build.ts';

/** Milliseconds, many times what a page takes. */
const claimMs = 60_000;

export interface Claimant {
  key: Key;
  /** Names this replica. */
  by: string;
}

export interface ClaimedBuild extends Claimant {
  build: Build;
}

/**
 * One at a time builds a type: two would do no harm, and no good.
 * @returns the build as it is now, or when to ask again; nothing where it is done
 */
export async function claimBuild(
  table: Table,
  { key, by }: Claimant,
): Promise<ClaimedBuild | { retryMs: number } | undefined> {
  const now = Date.now();
  const isFree = anyOf(absent('claim'), equal(['claim', 'by'], by), less(['claim', 'until'], now));
  try {
    const item = await table.update(key, {
      set: { claim: newClaim(by, now) },
      onlyIf: allOf(present('pk'), isFree),
    });
    return { key, by, build: parseBuild(item) };
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.item === undefined) return undefined;
    const until = parseBuild(error.item).claim?.until ?? now;
    return { retryMs: Math.min(Math.max(0, until - now) + 1000, claimMs) };
  }
}

/** @returns whether it is still ours */
export async function saveProgress(
  table: Table,
  { key, by, progress }: Claimant & { progress: BuildProgress },
): Promise<boolean> {
  const set = { progress: { ...progress } as Document, claim: newClaim(by, Date.now()) };
  return ifStillOurs(table.update(key, { set, onlyIf: equal(['claim', 'by'], by) }));
}

/** So that another can go on at once. */
export async function releaseBuild(table: Table, { key, by }: Claimant): Promise<void> {
  const onlyIf = equal(['claim', 'by'], by);
  await ifStillOurs(table.update(key, { remove: ['claim'], onlyIf }));
}

function newClaim(by: string, now: number): { by: string; until: number } {
  return { by, until: now + claimMs };
}

async function ifStillOurs(update: Promise<unknown>): Promise<boolean> {
  try {
    await update;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
