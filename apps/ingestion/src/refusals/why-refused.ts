import { invariant } from '@engawa/errors';
import { countLeftOut, countRefusals, maxIndexes } from './refusal.ts';
import type { DeadLetter, LeftOutValue, PartlyStored } from '@engawa/model';
import type { Refusal } from './refusal.ts';

/** The parts of a dead letter that depend on why it is one. */
export type Why = Pick<Refusal, 'reason' | 'detail' | 'detailCode'> &
  Pick<DeadLetter, 'indexes' | 'partlyStored' | 'leftOut'>;

/** Maximum number of left-out values that a dead letter names, with their reasons. */
const maxLeftOut = 10;

/**
 * The reason and the detail of a dead letter.
 * @param refusals at least one
 * @param before of a dead letter that is replayed: which of its readings are not stored, or not completely
 */
export function whyRefused(
  refusals: readonly Refusal[],
  before: Pick<DeadLetter, 'indexes' | 'partlyStored'> = {},
): Why {
  const first = invariant(refusals[0], 'a dead letter has a refusal');
  const partial = refusals.filter((refusal) => refusal.partial !== undefined).length;
  const more = countRefusals(refusals) + partial - 1;
  const left = countLeftOut(refusals);
  const where = first.index === undefined ? '' : `reading ${first.index}: `;
  const others = more === 0 ? '' : ` (and ${more} more)`;
  const rest =
    left === 0 ? '' : `; values left out: ${left}, the others of their readings are stored`;
  const indexes = indexesOf(refusals) ?? before.indexes ?? [];
  const partlyStored = partlyStoredOf(refusals, before.partlyStored ?? []);
  const leftOut = leftOutOf(refusals);
  return {
    reason: first.reason,
    detail: `${where}${first.detail}${others}${rest}`,
    detailCode: {
      code: first.detailCode.code,
      values: {
        ...first.detailCode.values,
        ...(first.index !== undefined && { index: first.index }),
        ...(more > 0 && { more }),
        ...(left > 0 && { leftOut: left }),
      },
    },
    ...(indexes.length > 0 && { indexes }),
    ...(partlyStored.length > 0 && { partlyStored }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}

/** The refused readings; an empty list if not all of them are named, and undefined if none is. */
function indexesOf(refusals: readonly Refusal[]): number[] | undefined {
  const indexes = refusals.flatMap(({ index }) => (index === undefined ? [] : [index]));
  if (indexes.length === 0) return undefined;
  return indexes.length === refusals.length && indexes.length <= maxIndexes ? indexes : [];
}

/** Readings of which some values are stored now or before; those with the same fields together. */
function partlyStoredOf(
  refusals: readonly Refusal[],
  before: readonly PartlyStored[],
): PartlyStored[] {
  const fieldsByIndex = new Map<number, readonly string[]>();
  for (const { indexes, fields } of before) {
    for (const index of indexes) fieldsByIndex.set(index, fields);
  }
  for (const { index, partial } of refusals) {
    if (index !== undefined && partial) fieldsByIndex.set(index, partial.storedFields);
  }
  const groups = new Map<string, PartlyStored>();
  for (const [index, fields] of fieldsByIndex) {
    const key = JSON.stringify(fields);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { indexes: [index], fields });
    else group.indexes.push(index);
  }
  return [...groups.values()];
}

function leftOutOf(refusals: readonly Refusal[]): LeftOutValue[] {
  const named = refusals.flatMap(({ index, partial }) =>
    index === undefined || partial === undefined
      ? []
      : partial.leftOut.named.map((value) => ({ index, ...value })),
  );
  return named.slice(0, maxLeftOut);
}
