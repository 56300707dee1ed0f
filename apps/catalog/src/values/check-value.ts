import { compareBytes, normalText } from '@engawa/keys';
import { compareNumbers, Decimal, isMemberSet, memberName, UnfitNumber } from '@engawa/model';
import { keyed, ValueFault } from './value-error.ts';
import type {
  AttributeDefinition,
  AttributeValue,
  ExactNumber,
  JsonValue,
  MemberSet,
  SetMember,
} from '@engawa/model';

/** Lists and maps in each other; DynamoDB takes 32, and an entity's item has two around them. */
export const maxDepth = 20;
/** Bytes of a name in a map, and of a member of a set (which is stored as one): DynamoDB takes less than 64 KB. */
const maxNameBytes = 1024;

/** Any JSON, as it is. @throws ValueFault saying where it cannot be stored */
export function checkJson(value: unknown, path = '', depth = 0): JsonValue {
  if (value === null || typeof value === 'boolean' || value instanceof Decimal) return value;
  if (typeof value === 'number') return value;
  const at = path === '' ? '' : `has at ${path.toWellFormed()} what `;
  if (value instanceof UnfitNumber) throw new ValueFault(`${at}is ${value.reason}`);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new ValueFault(`${at}has half of a surrogate pair`);
    return value;
  }
  if (depth === maxDepth) {
    throw new ValueFault(`has more than ${maxDepth} lists and maps in each other`);
  }
  if (Array.isArray(value)) {
    return value.map((one, index) => checkJson(one, `${path}[${index}]`, depth + 1));
  }
  const entries = Object.entries(value as object).map(([name, one]) => {
    checkName(name, `${at}has a name that`);
    return [name, checkJson(one, path === '' ? name : `${path}.${name}`, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** @throws ValueFault */
export function checkList(value: unknown): JsonValue {
  if (!Array.isArray(value)) throw new ValueFault('must be a list');
  return checkJson(value);
}

/** @throws ValueFault */
export function checkMap(value: unknown): JsonValue {
  if (!isMap(value)) throw new ValueFault('must be an object');
  return checkJson(value);
}

/** The members of a list, each once. @throws ValueFault */
export function checkSet({ of }: Pick<AttributeDefinition, 'of'>, value: unknown): MemberSet {
  const kind = of === 'number' ? 'numbers' : 'texts';
  if (!Array.isArray(value)) throw new ValueFault(`must be a list of ${kind}`);
  const members = value.map((one) => checkMember({ of }, one));
  return new Set(new Map(members.map((member) => [memberName(member), member])).values());
}

/** @throws ValueFault */
export function checkMember({ of }: Pick<AttributeDefinition, 'of'>, value: unknown): SetMember {
  if (of === 'number') {
    if (value instanceof UnfitNumber) throw new ValueFault(`has a member that is ${value.reason}`);
    if (!isNumber(value)) throw new ValueFault('must have numbers alone');
    return Object.is(value, -0) ? 0 : value;
  }
  if (typeof value !== 'string') throw new ValueFault('must have texts alone');
  const text = keyed(() => normalText('text', value));
  checkName(text, 'has a member that');
  return text;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof Decimal) && !(value instanceof UnfitNumber);
}

export function isNumber(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** As answers have it: of a set, the members in their order. */
export function shownValue(value: AttributeValue): JsonValue {
  return isMemberSet(value) ? [...value].toSorted(compareMembers) : value;
}

function compareMembers(left: SetMember, right: SetMember): number {
  if (typeof left === 'string' || typeof right === 'string') {
    return compareBytes(String(left), String(right));
  }
  return compareNumbers(left, right);
}

/** What DynamoDB takes as a name inside of an item. @throws ValueFault */
export function checkName(name: string, what: string): void {
  if (name === '') throw new ValueFault(`${what} is empty`);
  if (name === '__proto__') throw new ValueFault(`${what} is "__proto__"`);
  if (!name.isWellFormed()) throw new ValueFault(`${what} has half of a surrogate pair`);
  const bytes = Buffer.byteLength(name);
  if (bytes > maxNameBytes) {
    throw new ValueFault(`${what} has ${bytes} bytes, at most ${maxNameBytes} are allowed`);
  }
}
