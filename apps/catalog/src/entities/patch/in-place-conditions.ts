import { instant } from '@engawa/keys';
import { absent, allOf, anyOf, equal, greater, less, present } from '@engawa/table';
import type { Revision } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { Condition } from '@engawa/table';

/** The entity was not changed after this time (epoch milliseconds), by the clock of its writer. */
export function isNotLater(now: number): Condition {
  const path = ['data', 'updatedAt'];
  return anyOf(less(path, now), equal(path, now));
}

/** The entity exists in the current layout of its type, so that only the attributes have to change. */
export function isUpToDate({ layout }: EntityType, revision: Revision | undefined): Condition {
  const isConverted = absent(['data', 'unconverted']);
  const conditions = [present('pk'), absent('gone'), equal('layout', layout), isConverted];
  return allOf(...conditions, ...(revision === undefined ? [] : [isRevision(revision)]));
}

function isRevision({ version, creation }: Revision): Condition {
  const isSame = creation === undefined ? absent('creation') : equal('creation', creation);
  return allOf(equal('version', version), isSame);
}

/** @param now epoch milliseconds */
export function isNotExpired({ expires }: EntityType, now: number): Condition[] {
  if (expires === undefined) return [];
  const path = ['data', 'attributes', expires.attribute];
  return [anyOf(absent(path), greater(path, instant('now', now)))];
}
