import { attributeTypes } from './attribute.ts';
import { maxDepth, tooDeep } from './expression/check-depth.ts';
import { canonicalNumber, NumberError } from './decimal.ts';
import { invalid, unreadable } from './exceptions.ts';
import type { AttributeType, AttributeValue, Item } from './attribute.ts';

const setNames = { SS: 'string', NS: 'number', BS: 'binary' } as const;

/** Spells an item's numbers as DynamoDB returns them. Returns the same object if nothing changes. @throws Refusal */
export function normalizeItem(input: unknown): Item {
  if (!isObject(input)) throw unreadable('an item must be a map of attribute values');
  return normalizeMap(input, 0);
}

/** @param depth number of lists and maps that contain the value */
export function normalizeValue(input: unknown, depth = 0): AttributeValue {
  if (!isObject(input)) throw unreadable('an attribute value must be an object');
  if (depth >= maxDepth) throw tooDeep();
  const type = onlyType(input);
  const content = input[type];
  const normal = normalizeContent(type, content, depth);
  return normal === content ? input : { [type]: normal };
}

function normalizeContent(type: AttributeType, content: unknown, depth: number): unknown {
  switch (type) {
    case 'S':
      return wellFormed(content);
    case 'N':
      return normalizeNumber(content);
    case 'B':
      return normalizeBinary(content);
    case 'BOOL':
      if (typeof content !== 'boolean') throw unreadable('BOOL must be true or false');
      return content;
    case 'NULL':
      if (content === true) return content;
      throw invalid(
        'One or more parameter values were invalid: Null attribute value types must have the value of true',
      );
    case 'L':
      if (!Array.isArray(content)) throw unreadable('L must be a list');
      return sameOr(
        content,
        content.map((element) => normalizeValue(element, depth + 1)),
      );
    case 'M':
      if (!isObject(content)) throw unreadable('M must be a map');
      return normalizeMap(content, depth + 1);
    default:
      return normalizeSet(type, content);
  }
}

function normalizeMap(input: Record<string, unknown>, depth: number): Item {
  let changed: Item | undefined;
  for (const name of Object.keys(input)) {
    if (name === '') throw invalid('Empty attribute name');
    if (!name.isWellFormed()) throw loneSurrogate();
    const value = input[name];
    const normal = normalizeValue(value, depth);
    if (normal !== value) changed = { ...((changed ?? input) as Item), [name]: normal };
  }
  return changed ?? (input as Item);
}

function normalizeSet(type: 'SS' | 'NS' | 'BS', content: unknown): readonly string[] {
  if (!Array.isArray(content)) throw unreadable(`${type} must be a list`);
  if (content.length === 0) {
    // DynamoDB's message, including two spaces.
    throw invalid(
      `One or more parameter values were invalid: An ${setNames[type]} set  may not be empty`,
    );
  }
  const normalize = { SS: wellFormed, NS: normalizeNumber, BS: normalizeBinary }[type];
  const members = sameOr(content as string[], content.map(normalize));
  if (new Set(members).size < members.length) {
    throw invalid(
      'One or more parameter values were invalid: Input collection contains duplicates',
    );
  }
  return members;
}

function onlyType(input: Record<string, unknown>): AttributeType {
  const names = Object.keys(input);
  const types = names.filter((name) => isType(name) && input[name] != null);
  const [type] = types;
  if (type === undefined) {
    throw invalid(
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    );
  }
  if (names.length > 1) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  return type as AttributeType;
}

function isType(name: string): boolean {
  return (attributeTypes as readonly string[]).includes(name);
}

function wellFormed(content: unknown): string {
  if (typeof content !== 'string') throw unreadable('a string is expected');
  if (!content.isWellFormed()) throw loneSurrogate();
  return content;
}

function normalizeNumber(content: unknown): string {
  if (typeof content !== 'string') throw unreadable('a number must be a string');
  try {
    return canonicalNumber(content);
  } catch (error) {
    throw error instanceof NumberError ? invalid(error.message) : error;
  }
}

function normalizeBinary(content: unknown): string {
  if (typeof content !== 'string') throw unreadable('binary must be a base64 string');
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(content)) {
    throw unreadable('binary must be base64 with padding');
  }
  return Buffer.from(content, 'base64').toString('base64');
}

/** Returns `before` if both have the same members, so that canonical values are not copied. */
function sameOr<Member>(before: readonly Member[], after: readonly Member[]): readonly Member[] {
  return before.every((member, index) => member === after[index]) ? before : after;
}

function loneSurrogate() {
  return unreadable('text must be UTF-8 without lone surrogates');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
