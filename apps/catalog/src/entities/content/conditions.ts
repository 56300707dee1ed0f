import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@engawa/errors';
import { compareBytes } from '@engawa/keys';
import { compareNumbers, isMemberSet, memberName } from '@engawa/model';
import { absent, anyOf, equal, greater, less, present } from '@engawa/table';
import { checkAttribute } from '../../values/check-attribute.ts';
import { attributeOf } from './check-content.ts';
import { checkMember, isMap, isNumber, toJsonValue } from '../../values/check-value.ts';
import { attributePath, storedValue } from '../../values/stored-value.ts';
import { ValueError } from '../../values/value-error.ts';
import type {
  AttributeDefinition,
  AttributeValue,
  Entity,
  EntityType,
  SetMember,
} from '@engawa/model';
import type { Condition } from '@engawa/table';

/** A condition on an attribute, checked atomically with a write. */
export type AttributeCondition = { attribute: string } & (
  | { is: 'equals' | 'atLeast' | 'atMost'; value: AttributeValue }
  | { is: 'contains'; member: SetMember }
  | { is: 'exists'; expected: boolean }
);

/** Conditions of one request. */
export const maxConditions = 20;

/** The conditions on one attribute: `{"atLeast": 1, "atMost": 9}`. @throws ValueError */
export function checkConditions(
  type: EntityType,
  attribute: string,
  given: unknown,
): AttributeCondition[] {
  const definition = attributeOf(type, attribute);
  if (!isMap(given) || Object.keys(given).length === 0) {
    throw new ValueError('must be an object with a condition, such as {"atLeast": 1}');
  }
  return Object.entries(given).map(([is, value]) => {
    switch (is) {
      case 'exists':
        if (typeof value !== 'boolean')
          throw new ValueError('must have true or false for `exists`');
        return { attribute, is, expected: value };
      case 'equals':
        return { attribute, is, value: checkAttribute(definition, value) };
      case 'atLeast':
      case 'atMost':
        return { attribute, is, value: bound(definition, value) };
      case 'contains':
        if (definition?.kind !== 'set') throw new ValueError('must be a set for `contains`');
        return { attribute, is, member: checkMember(definition, value) };
      default:
        throw new ValueError('must have only equals, atLeast, atMost, contains or exists');
    }
  });
}

function bound(definition: AttributeDefinition | undefined, value: unknown): AttributeValue {
  const checked = checkAttribute(definition, value);
  if (isNumber(checked) || typeof checked === 'string') return checked;
  throw new ValueError('must be a number, an instant or a text for atLeast or atMost');
}

/** The DynamoDB condition of the write. */
export function storedCondition(type: EntityType, condition: AttributeCondition): Condition {
  const path = attributePath(type, condition.attribute);
  switch (condition.is) {
    case 'exists':
      return condition.expected ? present(path) : absent(path);
    case 'contains':
      return present([...path, memberName(condition.member)]);
    case 'equals':
      return equal(path, storedValue(condition.value));
    case 'atLeast':
      return orEqual(greater, path, condition.value);
    case 'atMost':
      return orEqual(less, path, condition.value);
  }
}

function orEqual(compared: typeof less, path: readonly string[], value: AttributeValue): Condition {
  const stored = storedValue(value);
  return anyOf(compared(path, stored), equal(path, stored));
}

/** @throws Problem `condition-failed` naming each unmet condition and the current value */
export function refuseUnmetConditions(
  conditions: readonly AttributeCondition[],
  { attributes }: Entity,
): void {
  const unmet = conditions.filter((condition) => !holds(condition, attributes));
  if (unmet.length === 0) return;
  const fieldErrors = unmet.map(({ attribute, is }) => {
    const value = attributes.get(attribute);
    const current = value === undefined ? 'does not exist' : `is ${truncatedJson(value)}`;
    const path = `body.conditions.${attribute.toWellFormed()}.${is}`;
    return { path, message: `is not met: the attribute ${current}` };
  });
  const detail = `${fieldErrors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
  throw new Problem('condition-failed', detail, { fieldErrors });
}

function holds(condition: AttributeCondition, attributes: Entity['attributes']): boolean {
  const current = attributes.get(condition.attribute);
  switch (condition.is) {
    case 'exists':
      return (current !== undefined) === condition.expected;
    case 'contains': {
      const names = isMemberSet(current) ? [...current].map(memberName) : [];
      return names.includes(memberName(condition.member));
    }
    case 'equals':
      return isDeepStrictEqual(current, condition.value);
    case 'atLeast':
      return compare(current, condition.value) >= 0;
    case 'atMost':
      return compare(current, condition.value) <= 0;
  }
}

/** Characters of a value in an error message. */
const maxShown = 200;

function truncatedJson(value: AttributeValue): string {
  const text = JSON.stringify(toJsonValue(value));
  return text.length <= maxShown ? text : `${text.slice(0, maxShown).toWellFormed()}…`;
}

/** NaN where the values have different kinds. */
function compare(current: AttributeValue | undefined, value: AttributeValue): number {
  if (isNumber(current) && isNumber(value)) return compareNumbers(current, value);
  if (typeof current === 'string' && typeof value === 'string') return compareBytes(current, value);
  return NaN;
}
