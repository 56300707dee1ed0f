import { catalogTaskKey } from '@engawa/keys';
import { newClaim } from '@engawa/table';
import { ulid } from 'ulid';
import type { EntityName, Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Claim } from '@engawa/table';

export const deletionKind = 'DELETION';

/**
 * Intent record of a deletion: relations of other entities may still lead to the deleted one, and
 * have to be removed.
 */
export interface DeletionIntent {
  key: Key;
  /** Names this deletion; also in the tombstone. */
  deletion: string;
  /** When it was deleted (epoch milliseconds). */
  at: number;
  claim?: Claim | undefined;
}

/** @param by the replica that claims it; undefined: any replica may */
export function newDeletionIntent(
  { type, id }: EntityName,
  at: number,
  by: string | undefined,
): DeletionIntent {
  const deletion = ulid();
  const claim = by === undefined ? undefined : newClaim(by, Date.now());
  return { key: catalogTaskKey(deletionKind, type, id, deletion), deletion, at, claim };
}

export function deletionIntentItem({ key, at, claim }: DeletionIntent): Document {
  return { ...key, at, ...(claim && { claim }) };
}
