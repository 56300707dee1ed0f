import { isMemberSet, memberName, mergePatch } from '@engawa/model';
import { exactSum } from '../../values/exact-sum.ts';
import { checkAttribute } from '../../values/check-attribute.ts';
import { checkJson, checkSet, isMap, isNumber } from '../../values/check-value.ts';
import { ValueError } from '../../values/value-error.ts';
import { changedInside, MapChange } from './map-changes.ts';
import type {
  AttributeDefinition,
  AttributeValue,
  ExactNumber,
  JsonValue,
  MemberSet,
  SetMember,
} from '@engawa/model';

/** An increment of a number; a missing number counts as 0. */
export class Addition {
  readonly by: ExactNumber;

  constructor(by: ExactNumber) {
    this.by = by;
  }
}

/** Members to append to and remove from a set; no member is in both. */
export class MemberChange {
  readonly append: readonly SetMember[];
  readonly remove: readonly SetMember[];

  constructor(append: readonly SetMember[], remove: readonly SetMember[]) {
    this.append = append;
    this.remove = remove;
  }
}

/** A merge patch of a map (RFC 7396): names that it does not have stay, and null removes a name. */
export class MapPatch {
  readonly patch: JsonValue;

  constructor(patch: JsonValue) {
    this.patch = patch;
  }
}

/** The change of an attribute; null removes it. */
export type AttributeChange = AttributeValue | Addition | MemberChange | MapPatch | MapChange;

/** Whether the new value depends on the current one in a way that only a read-modify-write computes. */
export function needsCurrentValue(change: AttributeChange): change is MapPatch | MapChange {
  return change instanceof MapPatch || change instanceof MapChange;
}

/**
 * @param attribute undefined: not declared by the type
 * @param isMergePatch whether the value of a map is merged with the current one
 * @throws ValueError
 */
export function checkAttributeChange(
  attribute: AttributeDefinition | undefined,
  value: unknown,
  { isMergePatch }: { isMergePatch: boolean },
): AttributeChange {
  if (value === null) {
    if (attribute?.required !== true) return null;
    throw new ValueError('is required and cannot be removed');
  }
  if (!isMap(value)) return checkAttribute(attribute, value);
  if (attribute?.kind === 'number') return additionOf(value);
  if (attribute?.kind === 'set') return memberChangeOf(attribute, value);
  const isMapValue = attribute === undefined || attribute.kind === 'map';
  return isMergePatch && isMapValue
    ? new MapPatch(checkJson(value))
    : checkAttribute(attribute, value);
}

/** The new value; undefined: none. @throws ValueError where the change does not apply to the current value */
export function changedValue(
  current: AttributeValue | undefined,
  change: AttributeChange,
): AttributeValue | undefined {
  if (change === null) return undefined;
  if (change instanceof Addition) return sumOf(current ?? 0, change);
  if (change instanceof MemberChange) return changedSet(current ?? new Set(), change);
  if (change instanceof MapPatch) return mergePatch(current, change.patch) as JsonValue;
  return change instanceof MapChange ? changedInside(current, change) : change;
}

function additionOf({ add, ...rest }: Record<string, unknown>): Addition {
  if (!isNumber(add) || Object.keys(rest).length > 0) {
    throw new ValueError('must be a number, or an object with only `add`, a number');
  }
  return new Addition(add);
}

function memberChangeOf(
  attribute: AttributeDefinition,
  { append = [], remove = [], ...rest }: Record<string, unknown>,
): MemberChange {
  if (Object.keys(rest).length > 0) {
    throw new ValueError('must be a list, or an object with only `append` and `remove`');
  }
  const [more, less] = [checkSet(attribute, append), checkSet(attribute, remove)];
  const names = new Set([...less].map(memberName));
  if ([...more].some((member) => names.has(memberName(member)))) {
    throw new ValueError('must not append and remove the same member');
  }
  return new MemberChange([...more], [...less]);
}

function sumOf(current: AttributeValue, { by }: Addition): ExactNumber {
  if (!isNumber(current)) throw new ValueError('is not a number, so nothing can be added');
  return exactSum(current, by);
}

function changedSet(current: AttributeValue, { append, remove }: MemberChange): MemberSet {
  if (!isMemberSet(current)) throw new ValueError('is not a set, so members cannot be changed');
  const members = new Map([...current, ...append].map((member) => [memberName(member), member]));
  for (const member of remove) members.delete(memberName(member));
  return new Set(members.values());
}
