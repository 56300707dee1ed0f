import { allOf, ConditionFailed, isClaimable, isClaimedBy, newClaim, present } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Claim, Table } from '@engawa/table';

/** A claimed deletion whose incoming relations are to be removed. */
export interface ClaimedDeletion {
  /** When the entity was deleted (epoch milliseconds). */
  at: number;
  /** Whether relations were removed once already, so that only the second pass is left. */
  looked: boolean;
}

interface Claimant {
  key: Key;
  /** Names this replica. */
  by: string;
}

/**
 * Claims a deletion; no request where `item` shows that this replica or another one holds the claim.
 * @returns `later` where another replica holds the claim, `done` where the deletion is complete
 */
export async function claimDeletion(
  table: Table,
  { key, by, item }: Claimant & { item: Document },
): Promise<ClaimedDeletion | 'later' | 'done'> {
  const now = Date.now();
  const claim = item['claim'] as Claim | undefined;
  if (claim !== undefined && claim.until > now) return claim.by === by ? deletionOf(item) : 'later';
  try {
    const set = { claim: newClaim(by, now) };
    const onlyIf = allOf(present('pk'), isClaimable(by, now));
    return deletionOf(await table.update(key, { set, onlyIf }));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return error.item === undefined ? 'done' : 'later';
  }
}

/** Records the first pass, and extends the claim of this replica until then (epoch milliseconds). */
export async function extendClaim(
  table: Table,
  { key, by, until }: Claimant & { until: number },
): Promise<void> {
  try {
    const set = { looked: true, claim: { by, until } };
    await table.update(key, { set, onlyIf: isClaimedBy(by) });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function deletionOf(item: Document): ClaimedDeletion {
  return { at: Number(item['at']), looked: item['looked'] === true };
}
