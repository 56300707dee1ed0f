import { randomUUID } from 'node:crypto';
import { entityTypesMarkKey } from '@engawa/keys';
import type { Write } from '@engawa/table';

/** Written in the transaction of each change of a type: replicas poll this mark for changes. */
export function markChange(): Write {
  return { put: { ...entityTypesMarkKey, mark: randomUUID() } };
}
