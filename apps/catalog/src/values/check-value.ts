import { compareBytes, wellFormedText } from '@engawa/keys';
import { compareNumbers, Decimal, isMemberSet, memberName, UnfitNumber } from '@engawa/model';
import { asValueError, ValueError } from './value-error.ts';
import type {
  AttributeDefinition,
  AttributeValue,
  ExactNumber,
  JsonValue,
  MemberSet,
  SetMember,
} from '@engawa/model';

/** Nesting of lists and maps; DynamoDB allows 32 levels, and an entity's item adds two. */
export const maxDepth = 20;
/** Bytes of a name in a map, and of a member of a set, which is stored as a name; DynamoDB allows less than 64 KB. */
export const maxNameBytes = 1024;

/** Any JSON, unchanged. @throws ValueError naming the path of a value that cannot be stored */
export function checkJson(value: unknown, path = '', depth = 0): JsonValue {
  if (value === null || typeof value === 'boolean' || value instanceof Decimal) return value;
  if (typeof value === 'number') return value;
  const at = path === '' ? '' : `has at ${path.toWellFormed()} a value that `;
  if (value instanceof UnfitNumber) throw new ValueError(`${at}is ${value.reason}`);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new ValueError(`${at}has a lone surrogate`);
    return value;
  }
  if (depth === maxDepth) {
    throw new ValueError(`has more than ${maxDepth} nested lists and maps`);
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

/** @throws ValueError */
export function checkList(value: unknown): JsonValue {
  if (!Array.isArray(value)) throw new ValueError('must be a list');
  return checkJson(value);
}

/** @throws ValueError */
export function checkMap(value: unknown): JsonValue {
  if (!isMap(value)) throw new ValueError('must be an object');
  return checkJson(value);
}

/** The members of a list, each once. @throws ValueError */
export function checkSet({ of }: Pick<AttributeDefinition, 'of'>, value: unknown): MemberSet {
  const kind = of === 'number' ? 'numbers' : 'texts';
  if (!Array.isArray(value)) throw new ValueError(`must be a list of ${kind}`);
  const members = value.map((one) => checkMember({ of }, one));
  return new Set(new Map(members.map((member) => [memberName(member), member])).values());
}

/** @throws ValueError */
export function checkMember({ of }: Pick<AttributeDefinition, 'of'>, value: unknown): SetMember {
  if (of === 'number') {
    if (value instanceof UnfitNumber) throw new ValueError(`has a member that is ${value.reason}`);
    if (!isNumber(value)) throw new ValueError('must contain only numbers');
    return Object.is(value, -0) ? 0 : value;
  }
  if (typeof value !== 'string') throw new ValueError('must contain only texts');
  const text = asValueError(() => wellFormedText('text', value));
  checkName(text, 'has a member that');
  checkName(memberName(text), 'has a member that');
  return text;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof Decimal) && !(value instanceof UnfitNumber);
}

export function isNumber(value: unknown): value is ExactNumber {
  return typeof value === 'number' || value instanceof Decimal;
}

/** The value in a response: a set as a sorted list. */
export function toJsonValue(value: AttributeValue): JsonValue {
  return isMemberSet(value) ? [...value].toSorted(compareMembers) : value;
}

function compareMembers(left: SetMember, right: SetMember): number {
  if (typeof left === 'string' || typeof right === 'string') {
    return compareBytes(String(left), String(right));
  }
  return compareNumbers(left, right);
}

/** Checks that DynamoDB accepts the name inside an item. @throws ValueError */
export function checkName(name: string, what: string): void {
  if (name === '') throw new ValueError(`${what} is empty`);
  if (name === '__proto__') throw new ValueError(`${what} is "__proto__"`);
  if (!name.isWellFormed()) throw new ValueError(`${what} has a lone surrogate`);
  const bytes = Buffer.byteLength(name);
  if (bytes > maxNameBytes) {
    throw new ValueError(`${what} has ${bytes} bytes, at most ${maxNameBytes} are allowed`);
  }
}
