import { randomUUID } from 'node:crypto';
import { entityTypesMarkKey } from '@engawa/keys';
import type { Write } from '@engawa/table';

/** Goes with each change of a type, in its transaction: all replicas see by it that there is one. */
export function markChange(): Write {
  return { put: { ...entityTypesMarkKey, mark: randomUUID() } };
}
