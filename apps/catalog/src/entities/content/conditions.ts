import { isDeepStrictEqual } from 'node:util';
import { Problem } from '@engawa/errors';
import { compareBytes } from '@engawa/keys';
import { compareNumbers, isMemberSet, memberName } from '@engawa/model';
import { absent, anyOf, equal, greater, less, present } from '@engawa/table';
import { checkAttribute } from '../../values/check-attribute.ts';
import { attributeOf } from './check-content.ts';
import { checkPath, valueInside } from './map-changes.ts';
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
export type AttributeCondition = {
  attribute: string;
  /** The value inside a map, by the names on its path. */
  inside?: readonly string[];
} & (
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
  return Object.entries(given).flatMap(([is, value]) => {
    if (is === 'inside') return insideConditions(definition, attribute, value);
    return [checkCondition(definition, attribute, [is, value])];
  });
}

/** The conditions on values inside a map, by JSON Pointer. @throws ValueError */
function insideConditions(
  definition: AttributeDefinition | undefined,
  attribute: string,
  given: unknown,
): AttributeCondition[] {
  if (definition !== undefined && definition.kind !== 'map') {
    throw new ValueError('must be a map for `inside`');
  }
  if (!isMap(given)) throw new ValueError('must have an object of conditions by JSON Pointer');
  return Object.entries(given).flatMap(([pointer, conditions]) => {
    const inside = checkPath(pointer);
    if (!isMap(conditions) || Object.keys(conditions).length === 0) {
      throw new ValueError(`must have an object with a condition at ${JSON.stringify(pointer)}`);
    }
    return Object.entries(conditions).map((entry) => ({
      ...checkCondition(undefined, attribute, entry),
      inside,
    }));
  });
}

function checkCondition(
  definition: AttributeDefinition | undefined,
  attribute: string,
  [is, value]: [string, unknown],
): AttributeCondition {
  switch (is) {
    case 'exists':
      if (typeof value !== 'boolean') throw new ValueError('must have true or false for `exists`');
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
      throw new ValueError('must have only equals, atLeast, atMost, contains, exists or inside');
  }
}

function bound(definition: AttributeDefinition | undefined, value: unknown): AttributeValue {
  const checked = checkAttribute(definition, value);
  if (isNumber(checked) || typeof checked === 'string') return checked;
  throw new ValueError('must be a number, an instant or a text for atLeast or atMost');
}

/** The DynamoDB condition of the write. */
export function storedCondition(type: EntityType, condition: AttributeCondition): Condition {
  const path = [...attributePath(type, condition.attribute), ...(condition.inside ?? [])];
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
  { attributes }: Pick<Entity, 'attributes'>,
): void {
  const unmet = conditions.filter((condition) => !holds(condition, attributes));
  if (unmet.length === 0) return;
  const fieldErrors = unmet.map((condition) => {
    const { attribute, inside, is } = condition;
    const value = currentValue(condition, attributes);
    const current = value === undefined ? 'does not exist' : `is ${truncatedJson(value)}`;
    const names = [attribute, ...(inside ?? []), is].map((name) => name.toWellFormed());
    const what = inside === undefined ? 'attribute' : 'value';
    return {
      path: `body.conditions.${names.join('.')}`,
      message: `is not met: the ${what} ${current}`,
    };
  });
  const detail = `${fieldErrors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
  throw new Problem('condition-failed', detail, { fieldErrors });
}

function currentValue(
  { attribute, inside }: AttributeCondition,
  attributes: Entity['attributes'],
): AttributeValue | undefined {
  const value = attributes.get(attribute);
  return inside === undefined ? value : valueInside(value, inside);
}

function holds(condition: AttributeCondition, attributes: Entity['attributes']): boolean {
  const current = currentValue(condition, attributes);
  switch (condition.is) {
    case 'exists':
      return (current !== undefined) === condition.expected;
    case 'contains': {
      const names = isMemberSet(current) ? [...current].map(memberName) : [];
      return names.includes(memberName(condition.member));
    }
    case 'equals':
      return isDeepStrictEqual(comparable(current), comparable(condition.value));
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

/** Texts and members are compared in normal form. */
function comparable(value: AttributeValue | undefined): unknown {
  if (typeof value === 'string') return memberName(value);
  return isMemberSet(value) ? new Set([...value].map(memberName)) : value;
}

/** NaN where the values have different kinds. */
function compare(current: AttributeValue | undefined, value: AttributeValue): number {
  if (isNumber(current) && isNumber(value)) return compareNumbers(current, value);
  if (typeof current === 'string' && typeof value === 'string') {
    return compareBytes(memberName(current), memberName(value));
  }
  return NaN;
}
