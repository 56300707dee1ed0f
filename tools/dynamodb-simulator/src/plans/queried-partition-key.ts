import { keyText } from '../attribute.ts';
import { keyCondition } from './key-condition.ts';
import type { KeySchema } from '../schema.ts';
import type { Document } from '../upstream.ts';

/** The partition key of a Query; undefined when it cannot be determined. */
export function queriedPartitionKey(key: KeySchema, body: Document): string | undefined {
  const { partition } = keyCondition(key, body);
  return partition && keyText(partition);
}
