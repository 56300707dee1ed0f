import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** Records that a client identifier has had a session at the broker. */
export function sessionKey(clientId: string): Key {
  return { pk: partitionKey('clientId', ['SESSION', clientId]), sk: sortKey('sk', ['SESSION']) };
}
