import { Problem } from '@engawa/errors';
import { absent, allOf, equal } from '@engawa/table';
import { typeNotFound } from './known/known-types.ts';
import type { ExpectedState } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { Condition } from '@engawa/table';

/** @throws Problem `already-exists`, `type-not-found`, `version-mismatch` */
export function checkExpectedType(
  name: string,
  type: EntityType | undefined,
  expected: ExpectedState,
): void {
  const title = JSON.stringify(name);
  if (type === undefined) {
    if (expected === undefined || expected === 'absent') return;
    throw typeNotFound(name);
  }
  if (expected === 'absent') {
    throw new Problem('already-exists', `The type ${title} already exists.`);
  }
  if (typeof expected === 'number' && expected !== type.version) {
    const detail = `The type ${title} now has version ${type.version}.`;
    throw new Problem('version-mismatch', detail);
  }
}

/** Condition: the type is unchanged; the end of a build changes `built`, not the version. */
export function isUnchanged(type: EntityType | undefined): Condition {
  if (type === undefined) return absent('pk');
  const { version, built, closing } = type;
  const isSame = closing === undefined ? absent('closing') : equal(['closing', 'by'], closing.by);
  return allOf(equal('version', version), equal('built', built), isSame);
}
