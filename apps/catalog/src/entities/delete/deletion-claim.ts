import { allOf, ConditionFailed, isClaimable, isClaimedBy, newClaim, present } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Claim, Table } from '@engawa/table';

/** What a deletion leaves to do. */
export interface ClaimedDeletion {
  /** When it was (epoch milliseconds). */
  at: number;
  /** Whether relations of others were looked for behind it, so that this is left to be done once more. */
  looked: boolean;
}

interface Claimant {
  key: Key;
  /** Names this replica. */
  by: string;
}

/**
 * Claims it, unless it is ours already. Where it is another's, as it was found (`item`), that takes no request.
 * @returns `later` where another is at it, `done` where it is done
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

/** Notes that it was looked, and holds the claim until then (epoch milliseconds), as long as it is ours. */
export async function keepClaim(
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
