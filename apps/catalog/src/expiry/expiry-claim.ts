import { catalogTaskKey } from '@engawa/keys';
import { allOf, ConditionFailed, isClaimable, isClaimedBy, newClaim, present } from '@engawa/table';
import { taskOf } from '../tasks/task-runner.ts';
import type { Key } from '@engawa/keys';
import type { Condition, Table } from '@engawa/table';
import type { Task } from '../tasks/task-runner.ts';

export const expiryKind = 'EXPIRY';

interface Claimant {
  /** Names this replica. */
  by: string;
  /** Epoch milliseconds. */
  now: number;
}

/** Claims the deletion of a shard's expired entities; undefined where another replica holds the claim. */
export function claimShard(
  table: Table,
  { shard, ...claimant }: Claimant & { shard: number },
): Promise<Task | undefined> {
  const key = catalogTaskKey(expiryKind, String(shard));
  return claim(table, key, claimant, isClaimable(claimant.by, claimant.now));
}

/** Claims an existing task whose claim has expired or is this replica's; undefined where another replica holds it. */
export function reclaimShard(
  table: Table,
  { key, ...claimant }: Claimant & { key: Key },
): Promise<Task | undefined> {
  const onlyIf = allOf(present('pk'), isClaimable(claimant.by, claimant.now));
  return claim(table, key, claimant, onlyIf);
}

/** Extends the claim. @returns undefined where this replica lost it */
export function renewClaim(
  table: Table,
  { key, ...claimant }: Claimant & { key: Key },
): Promise<Task | undefined> {
  return claim(table, key, claimant, isClaimedBy(claimant.by));
}

async function claim(
  table: Table,
  key: Key,
  { by, now }: Claimant,
  onlyIf: Condition,
): Promise<Task | undefined> {
  try {
    return taskOf(await table.update(key, { set: { claim: newClaim(by, now) }, onlyIf }));
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
