import { instant, parseInstant, periodBounds } from '@engawa/keys';
import { absent, allOf, anyOf, equal, greater, less, not, present } from '@engawa/table';
import type { Revision } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { Condition } from '@engawa/table';
import type { AttributeChanges } from './in-place-update.ts';

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

/** The entity is in the period of the new instant in the type's first ranking, so that its partition key stays. */
export function isSamePeriod(type: EntityType, attributes: AttributeChanges): Condition[] {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  const value = own?.period && attributes.get(own.period.attribute);
  if (own?.period === undefined || typeof value !== 'string') return [];
  const { attribute, length } = own.period;
  const path = ['data', 'attributes', attribute];
  const [first, last] = periodBounds(length, parseInstant(`attributes.${attribute}`, value));
  return [not(less(path, first)), not(greater(path, last)), present(path)];
}

/** @param now epoch milliseconds */
export function isNotExpired({ expires }: EntityType, now: number): Condition[] {
  if (expires === undefined) return [];
  const path = ['data', 'attributes', expires.attribute];
  return [anyOf(absent(path), greater(path, instant('now', now)))];
}
