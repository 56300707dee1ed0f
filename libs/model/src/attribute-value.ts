import type { ExactNumber } from './decimal.ts';
import type { DocumentValue } from './item-size.ts';

/** Text, a number to the digit, true or false; an instant is its ISO text in UTC with three decimals. */
export type ScalarValue = string | ExactNumber | boolean;
/** JSON, numbers to the digit; there are no bytes in its lists and maps either. */
export type JsonValue = Exclude<DocumentValue, Uint8Array>;
export type SetMember = string | ExactNumber;
/** No two members are equal: see `memberName`. */
export type MemberSet = ReadonlySet<SetMember>;
export type AttributeValue = JsonValue | MemberSet;

/**
 * A set as it is stored: each member is a name in a map, where an update puts or removes one member
 * and leaves the others, and which may be empty (docs/adr/0065). The value of a text is `true`,
 * that of a number the number.
 */
export type StoredSet = Record<string, true | ExactNumber>;

export function isMemberSet(value: AttributeValue | undefined): value is MemberSet {
  return value instanceof Set;
}

/** Equal for equal members: a number has one spelling. */
export function memberName(member: SetMember): string {
  return String(member);
}

export function storedMember(member: SetMember): true | ExactNumber {
  return typeof member === 'string' ? true : member;
}

export function storedSet(members: MemberSet): StoredSet {
  return Object.fromEntries([...members].map((one) => [memberName(one), storedMember(one)]));
}

export function parseSet(stored: StoredSet): MemberSet {
  return new Set(Object.entries(stored).map(([name, value]) => (value === true ? name : value)));
}

/** Attributes in the two maps that an entity's item has them in; `sets` only where there are any. */
export function storedAttributes(values: ReadonlyMap<string, AttributeValue>) {
  const attributes: [string, DocumentValue][] = [];
  const sets: [string, DocumentValue][] = [];
  for (const [name, value] of values) {
    if (isMemberSet(value)) sets.push([name, storedSet(value)]);
    else attributes.push([name, value]);
  }
  return {
    attributes: Object.fromEntries(attributes),
    ...(sets.length > 0 && { sets: Object.fromEntries(sets) }),
  };
}

export function parseAttributes({
  attributes = {},
  sets = {},
}: {
  attributes?: Record<string, JsonValue> | undefined;
  sets?: Record<string, StoredSet> | undefined;
}): Map<string, AttributeValue> {
  const members = Object.entries(sets).map(([name, set]) => [name, parseSet(set)] as const);
  return new Map<string, AttributeValue>([...Object.entries(attributes), ...members]);
}
