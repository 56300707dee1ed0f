import { ExactSum, isMemberSet, memberName, parseNumber } from '@engawa/model';
import { checkAttribute } from '../../values/check-attribute.ts';
import { checkSet, isMap, isNumber } from '../../values/check-value.ts';
import { ValueFault } from '../../values/value-error.ts';
import type {
  AttributeDefinition,
  AttributeValue,
  ExactNumber,
  MemberSet,
  SetMember,
} from '@engawa/model';

/** What is added to a number, or to 0 where there is none. */
export class Addition {
  readonly by: ExactNumber;

  constructor(by: ExactNumber) {
    this.by = by;
  }
}

/** What a set gets and loses; nothing is in both. */
export class MemberChange {
  readonly append: readonly SetMember[];
  readonly remove: readonly SetMember[];

  constructor(append: readonly SetMember[], remove: readonly SetMember[]) {
    this.append = append;
    this.remove = remove;
  }
}

/** What an attribute is to become; null is taken away. */
export type AttributeChange = AttributeValue | Addition | MemberChange;

/** @param attribute undefined: one that the type does not declare. @throws ValueFault */
export function checkAttributeChange(
  attribute: AttributeDefinition | undefined,
  value: unknown,
): AttributeChange {
  if (value === null) {
    if (attribute?.required !== true) return null;
    throw new ValueFault('is required, it cannot be taken away');
  }
  if (!isMap(value)) return checkAttribute(attribute, value);
  if (attribute?.kind === 'number') return additionOf(value);
  if (attribute?.kind === 'set') return memberChangeOf(attribute, value);
  return checkAttribute(attribute, value);
}

/** @returns undefined where there is none. @throws ValueFault where the change does not go with what is there */
export function changedValue(
  there: AttributeValue | undefined,
  change: AttributeChange,
): AttributeValue | undefined {
  if (change === null) return undefined;
  if (change instanceof Addition) return sumOf(there ?? 0, change);
  if (change instanceof MemberChange) return changedSet(there ?? new Set(), change);
  return change;
}

function additionOf({ add, ...rest }: Record<string, unknown>): Addition {
  if (!isNumber(add) || Object.keys(rest).length > 0) {
    throw new ValueFault('must be a number, or have a number as `add` alone');
  }
  return new Addition(add);
}

function memberChangeOf(
  attribute: AttributeDefinition,
  { append = [], remove = [], ...rest }: Record<string, unknown>,
): MemberChange {
  if (Object.keys(rest).length > 0) {
    throw new ValueFault('must be a list, or have `append` and `remove` alone');
  }
  const [more, less] = [checkSet(attribute, append), checkSet(attribute, remove)];
  const names = new Set([...less].map(memberName));
  if ([...more].some((member) => names.has(memberName(member)))) {
    throw new ValueFault('must not append and remove one member');
  }
  return new MemberChange([...more], [...less]);
}

function sumOf(there: AttributeValue, { by }: Addition): ExactNumber {
  if (!isNumber(there)) throw new ValueFault('is no number that could be added to');
  try {
    return parseNumber(String(new ExactSum().add(there).add(by).value));
  } catch (error) {
    if (error instanceof RangeError) throw new ValueFault(`would be ${error.message}`);
    throw error;
  }
}

function changedSet(there: AttributeValue, { append, remove }: MemberChange): MemberSet {
  if (!isMemberSet(there)) throw new ValueFault('is no set whose members could be changed');
  const members = new Map([...there, ...append].map((member) => [memberName(member), member]));
  for (const member of remove) members.delete(memberName(member));
  return new Set(members.values());
}
