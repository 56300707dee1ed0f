import { createHash } from 'node:crypto';
import { id } from '../segments/text.ts';
import { partitionKey } from './key.ts';
import type { Key } from './key.ts';

/**
 * A value of a unique attribute of a type of entities, as exact text: equal for equal values,
 * different for different ones.
 */
export interface UniqueValue {
  type: string;
  attribute: string;
  value: string;
}

const family = 'UNIQUE';

/**
 * One item per value of an entity, so that no second entity can have it. By its hash, since keys are named in metrics
 * and logs.
 */
export function uniqueValueKey({ type, attribute, value }: UniqueValue): Key {
  const hash = createHash('sha256').update(value).digest('base64url');
  const segments = [family, id('type', type), id('attribute', attribute), hash];
  return { pk: partitionKey('attribute', segments), sk: 'OWNER' };
}

export function isUniqueValueKey({ pk }: Key): boolean {
  return pk.startsWith(`${family}#`);
}
