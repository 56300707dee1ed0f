import { wellFormedText } from '@engawa/keys';
import { UnfitNumber } from '@engawa/model';
import { checkJson, checkList, checkMap, checkSet, isNumber } from './check-value.ts';
import { instantValue } from './instant-value.ts';
import { asValueError, ValueError } from './value-error.ts';
import type { AttributeDefinition, AttributeValue } from '@engawa/model';

/** @throws ValueError where the value is not of the attribute's kind; an undeclared attribute takes any JSON */
export function checkAttribute(
  attribute: AttributeDefinition | undefined,
  value: unknown,
): AttributeValue {
  switch (attribute?.kind) {
    case undefined:
      return checkJson(value);
    case 'text':
      if (typeof value !== 'string') throw new ValueError('must be text');
      return asValueError(() => wellFormedText('text', value));
    case 'boolean':
      if (typeof value !== 'boolean') throw new ValueError('must be true or false');
      return value;
    case 'number':
      if (value instanceof UnfitNumber) throw new ValueError(`is ${value.reason}`);
      if (isNumber(value)) return value;
      throw new ValueError('must be a number');
    case 'instant':
      return instantOf(value);
    case 'list':
      return checkList(value);
    case 'map':
      return checkMap(value);
    case 'set':
      return checkSet(attribute, value);
  }
}

function instantOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new ValueError('must be an ISO-8601 time, or epoch milliseconds');
  }
  return asValueError(() => instantValue('time', value));
}
