import { Problem } from '@engawa/errors';
import { byteLength, KeyError, uniqueValueKey } from '@engawa/keys';
import { Decimal, memberName, parseUniqueValue, uniqueValueItem } from '@engawa/model';
import { absent, anyOf, equal } from '@engawa/table';
import { uniqueAttributes } from '../../types/unique-attributes.ts';
import type { FieldError } from '@engawa/errors';
import type { AttributeValue, Entity, EntityType, OwnedValue, SetMember } from '@engawa/model';
import type { ConditionFailed, Write } from '@engawa/table';

/** Bytes of a unique text: it is stored once more in an item of its own. */
export const maxUniqueBytes = 1024;

/** A unique value that an entity claims or releases. */
export interface UniqueChange extends OwnedValue {
  change: 'claim' | 'release';
  /** The path of the owner's change in a request with several: `body.operations[0]`. */
  at?: string;
}

/**
 * The unique values that the entity claims and releases. Unique attributes cannot change while there are entities
 * (`incompatibleUnique`), so all its values are claimed.
 * @throws KeyError naming the attribute of a value that is too long
 */
export function uniqueChanges(
  type: EntityType,
  before: Entity | undefined,
  after: Entity | undefined,
): UniqueChange[] {
  const entity = after ?? before;
  if (entity === undefined) return [];
  return uniqueAttributes(type).flatMap((attribute) => {
    const [oldValue, newValue] = [before, after].map((one) => claimedValue(one, attribute));
    if (oldValue === newValue) return [];
    if (newValue !== undefined) refuseTooLong(attribute, newValue);
    const owned = { type: entity.type, attribute, owner: entity.id };
    return [
      ...(oldValue === undefined
        ? []
        : [{ ...owned, value: oldValue, change: 'release' as const }]),
      ...(newValue === undefined ? [] : [{ ...owned, value: newValue, change: 'claim' as const }]),
    ];
  });
}

/**
 * The writes of unique values for a transaction: one for each value. For a value that moves between entities of the
 * transaction it is the claim. A release needs no condition, since the transaction has one on the owner.
 */
export function uniqueWrites(changes: readonly UniqueChange[]): Write[] {
  return byValue(changes).map((same) => {
    const claim = same.find(isClaim);
    if (claim === undefined) return { delete: uniqueValueKey(same[0]) };
    const mayHaveIt = same.map((change) => equal('owner', change.owner));
    const onlyIf = anyOf(absent('pk'), ...mayHaveIt);
    return { put: uniqueValueItem(claim), onlyIf };
  });
}

/** @throws Problem `not-unique` where two changes claim the same value */
export function refuseClaimedTwice(changes: readonly UniqueChange[]): void {
  const taken = byValue(changes).flatMap((same) => {
    const [first, ...more] = same.filter(isClaim);
    return more.map((claim) => takenError(claim, first?.owner));
  });
  if (taken.length > 0) throw notUniqueProblem(taken);
}

/** The Problem of failed claims in a cancelled transaction. @param from index of the first of their writes */
export function notUnique(
  error: ConditionFailed,
  changes: readonly UniqueChange[],
  from: number,
): Problem | undefined {
  const taken = byValue(changes).flatMap((same, index) => {
    const claim = same.find(isClaim);
    const item = error.items.get(from + index);
    if (claim === undefined || !error.failed.includes(from + index)) return [];
    return [takenError(claim, item && parseUniqueValue(item).owner)];
  });
  return taken.length === 0 ? undefined : notUniqueProblem(taken);
}

/** The changes grouped by value. */
function byValue(changes: readonly UniqueChange[]): [UniqueChange, ...UniqueChange[]][] {
  const groups = Map.groupBy(changes, (change) => uniqueValueKey(change).pk);
  return [...groups.values()] as [UniqueChange, ...UniqueChange[]][];
}

function isClaim({ change }: UniqueChange): boolean {
  return change === 'claim';
}

/**
 * The text of a unique value that an entity has. Equal values have equal texts: numbers and instants are in canonical
 * form, texts are compared in normal form C.
 */
export function claimedValue(entity: Entity | undefined, attribute: string): string | undefined {
  if (entity === undefined || entity.gone === true) return undefined;
  const value: AttributeValue | undefined = entity.attributes.get(attribute);
  const isUnique = ['string', 'number'].includes(typeof value) || value instanceof Decimal;
  return isUnique ? memberName(value as SetMember) : undefined;
}

function refuseTooLong(attribute: string, value: string): void {
  const bytes = byteLength(value);
  if (bytes <= maxUniqueBytes) return;
  const reason = `has ${bytes} bytes, a unique value can have at most ${maxUniqueBytes}`;
  throw new KeyError(`attributes.${attribute}`, reason);
}

function takenError({ type, attribute, at = 'body' }: UniqueChange, owner?: string): FieldError {
  const holder = owner === undefined ? 'another entity' : JSON.stringify(owner);
  return {
    path: `${at}.attributes.${attribute}`,
    message: `must be unique among entities of type ${type}: ${holder} has this value`,
  };
}

function notUniqueProblem(fieldErrors: FieldError[]): Problem {
  const named = fieldErrors.map(({ path, message }) => `${path} ${message}`);
  return new Problem('not-unique', `${named.join('; ')}.`, { fieldErrors });
}
