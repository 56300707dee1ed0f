import type { ExactNumber } from '../values/decimal.ts';
import type { DocumentValue } from '../values/item-size.ts';

/** Text, an exact number, true or false; an instant is its ISO text in UTC with three decimals. */
export type ScalarValue = string | ExactNumber | boolean;
/** JSON with exact numbers; its lists and maps contain no bytes either. */
export type JsonValue = Exclude<DocumentValue, Uint8Array>;
export type SetMember = string | ExactNumber;
/** No two members are equal: see `memberName`. */
export type MemberSet = ReadonlySet<SetMember>;
export type AttributeValue = JsonValue | MemberSet;

/**
 * The stored form of a set: each member is a name in a map, so that an update adds or removes one member, and a set may
 * be empty (docs/adr/0065). The value of a text is `true` or, if the text differs from its name, the text as written;
 * the value of a number is the number.
 */
export type StoredSet = Record<string, true | SetMember>;

export function isMemberSet(value: AttributeValue | undefined): value is MemberSet {
  return value instanceof Set;
}

/** Equal members have equal names: a number has one spelling, and texts are compared in normal form C. */
export function memberName(member: SetMember): string {
  return typeof member === 'string' ? member.normalize('NFC') : String(member);
}

export function storedMember(member: SetMember): true | SetMember {
  return member === memberName(member) ? true : member;
}

export function storedSet(members: MemberSet): StoredSet {
  return Object.fromEntries([...members].map((one) => [memberName(one), storedMember(one)]));
}

export function parseSet(stored: StoredSet): MemberSet {
  return new Set(Object.entries(stored).map(([name, value]) => (value === true ? name : value)));
}

/** Attributes in the two maps of an entity's item; `sets` only where the entity has sets. */
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
