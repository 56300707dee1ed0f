import { Problem } from '@engawa/errors';
import { byteLength, KeyError, uniqueValueKey } from '@engawa/keys';
import { Decimal, memberName, parseUniqueValue, uniqueValueItem } from '@engawa/model';
import { absent, anyOf, equal } from '@engawa/table';
import { uniqueAttributes } from '../../types/unique-attributes.ts';
import type { FieldError } from '@engawa/errors';
import type { AttributeValue, Entity, EntityType, OwnedValue } from '@engawa/model';
import type { ConditionFailed, Write } from '@engawa/table';

/** Bytes of a text that can be unique: it is stored once more, with who has it. */
const maxUniqueBytes = 1024;

/** A value of a unique attribute that its owner gets, or has no more. */
export interface UniqueChange extends OwnedValue {
  change: 'claim' | 'release';
  /** Where the owner's change is in the request, where it has several: `body.operations[0]`. */
  at?: string;
}

/**
 * Which values the entity gets and loses. What is unique stays so while there are entities (`unfitUnique`), so all that it has
 * is claimed.
 * @throws KeyError naming the attribute where what it gets is too long
 */
export function uniqueChanges(
  type: EntityType,
  before: Entity | undefined,
  after: Entity | undefined,
): UniqueChange[] {
  const entity = after ?? before;
  if (entity === undefined) return [];
  return uniqueAttributes(type).flatMap((attribute) => {
    const [lost, got] = [before, after].map((one) => valueOf(one, attribute));
    if (lost === got) return [];
    if (got !== undefined) refuseTooLong(attribute, got);
    const owned = { type: entity.type, attribute, owner: entity.id };
    return [
      ...(lost === undefined ? [] : [{ ...owned, value: lost, change: 'release' as const }]),
      ...(got === undefined ? [] : [{ ...owned, value: got, change: 'claim' as const }]),
    ];
  });
}

/**
 * For the transaction that makes the owners what they are to be: one write for each value. Of a value that goes from one
 * entity of the transaction to another it is the claim. A release needs no condition: the transaction has one of the owner.
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

/** @throws Problem `not-unique` where two of them claim one value */
export function refuseClaimedTwice(changes: readonly UniqueChange[]): void {
  const taken = byValue(changes).flatMap((same) => {
    const [first, ...more] = same.filter(isClaim);
    return more.map((claim) => takenFault(claim, first?.owner));
  });
  if (taken.length > 0) throw notUniqueProblem(taken);
}

/** What a cancelled transaction says of the claims in it. `from`: the place of the first of their writes. */
export function notUnique(
  error: ConditionFailed,
  changes: readonly UniqueChange[],
  from: number,
): Problem | undefined {
  const taken = byValue(changes).flatMap((same, index) => {
    const claim = same.find(isClaim);
    const item = error.items.get(from + index);
    if (claim === undefined || !error.failed.includes(from + index)) return [];
    return [takenFault(claim, item && parseUniqueValue(item).owner)];
  });
  return taken.length === 0 ? undefined : notUniqueProblem(taken);
}

/** The changes of each value: one write each. */
function byValue(changes: readonly UniqueChange[]): [UniqueChange, ...UniqueChange[]][] {
  const groups = Map.groupBy(changes, (change) => uniqueValueKey(change).pk);
  return [...groups.values()] as [UniqueChange, ...UniqueChange[]][];
}

function isClaim({ change }: UniqueChange): boolean {
  return change === 'claim';
}

/** A number has one spelling, an instant one text; a text is in normal form C. */
function valueOf(entity: Entity | undefined, attribute: string): string | undefined {
  if (entity === undefined || entity.gone === true) return undefined;
  const value: AttributeValue | undefined = entity.attributes.get(attribute);
  if (typeof value === 'string') return value;
  return typeof value === 'number' || value instanceof Decimal ? memberName(value) : undefined;
}

function refuseTooLong(attribute: string, value: string): void {
  const bytes = byteLength(value);
  if (bytes <= maxUniqueBytes) return;
  const reason = `has ${bytes} bytes, at most ${maxUniqueBytes} can be unique`;
  throw new KeyError(`attributes.${attribute}`, reason);
}

function takenFault({ type, attribute, at = 'body' }: UniqueChange, owner?: string): FieldError {
  const who = owner === undefined ? 'another one' : JSON.stringify(owner);
  return {
    path: `${at}.attributes.${attribute}`,
    message: `must be of one ${type} alone: ${who} has this value`,
  };
}

function notUniqueProblem(faults: FieldError[]): Problem {
  const named = faults.map(({ path, message }) => `${path} ${message}`);
  return new Problem('not-unique', `${named.join('; ')}.`, { fieldErrors: faults });
}
