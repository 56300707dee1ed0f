import { Problem } from '@engawa/errors';
import { absent, allOf, equal } from '@engawa/table';
import { typeNotFound } from './known/known-types.ts';
import type { ExpectedState } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { Condition } from '@engawa/table';

/** @throws Problem `already-exists`, `type-not-found`, `version-mismatch` */
export function check(name: string, type: EntityType | undefined, expected: ExpectedState): void {
  const title = JSON.stringify(name);
  if (type === undefined) {
    if (expected === undefined || expected === 'absent') return;
    throw typeNotFound(name);
  }
  if (expected === 'absent') {
    throw new Problem('already-exists', `There is a type ${title} already.`);
  }
  if (typeof expected === 'number' && expected !== type.version) {
    const detail = `The type ${title} has version ${type.version} by now.`;
    throw new Problem('version-mismatch', detail);
  }
}

/** The end of a build changes what is built, and no version. */
export function isStill(type: EntityType | undefined): Condition {
  if (type === undefined) return absent('pk');
  const { version, built, closing } = type;
  const isSame = closing === undefined ? absent('closing') : equal(['closing', 'by'], closing.by);
  return allOf(equal('version', version), equal('built', built), isSame);
}
