import { correctionRowKey, correctionRowRange, earliestInstant, latestInstant } from '@engawa/keys';
import type { Key, SortKeyRange } from '@engawa/keys';
import type { Correction, CorrectionRange } from './correction.ts';

/** The rows of a device's corrections, which the device's item counts. */
export interface CorrectionRows {
  /** Number of rows of each class of lengths, including undone corrections: empty classes are not read. */
  counts: readonly number[];
  /** Sum of the weights of all corrections. */
  weight: number;
}

const dayMs = 86_400_000;

/**
 * Maximum length of the corrections of each class, in milliseconds. A correction touches a time only if it begins less
 * than this before it, so a Query per class finds all corrections of a range, and few others.
 */
export const correctionLengths = [dayMs, 32 * dayMs, 1024 * dayMs, Infinity] as const;

/** @throws TypeError where there is no such class */
export function maxLengthOf(lengthClass: number): number {
  return elementAt(correctionLengths, lengthClass);
}

export const noCorrectionRows: CorrectionRows = {
  counts: correctionLengths.map(() => 0),
  weight: 0,
};

/** The classes in keys. */
const lengthNames = ['P1D', 'P32D', 'P1024D', 'ANY'];

/** The key of the row of a correction, which has all attributes of its item. */
export function correctionRowKeyOf(
  correction: Pick<Correction, 'device' | 'id' | 'from' | 'to'>,
): Key {
  const { device, id, from } = correction;
  return correctionRowKey({
    device,
    correction: id,
    from,
    length: nameOf(lengthClassOf(correction)),
  });
}

/** The rows of a class with all its corrections that touch the range (epoch milliseconds). */
export function touchingRows(lengthClass: number, { from, to }: CorrectionRange): SortKeyRange {
  const begin = from - maxLengthOf(lengthClass);
  return correctionRowRange(
    nameOf(lengthClass),
    Math.max(earliestInstant, begin),
    Math.min(latestInstant, to),
  );
}

/** The rows with a further correction. */
export function withCorrectionRow(rows: CorrectionRows, correction: Correction): CorrectionRows {
  const own = lengthClassOf(correction);
  return {
    counts: correctionLengths.map(
      (_, index) => (rows.counts[index] ?? 0) + (index === own ? 1 : 0),
    ),
    weight: rows.weight + correctionWeight(correction),
  };
}

/** Memory that a correction takes, in corrections and replacement readings. */
export function correctionWeight({ readings = [], within = [] }: Correction): number {
  return 1 + readings.length + within.length;
}

export function parseCorrectionRows(rows: unknown): CorrectionRows {
  const { counts, weight } = rows as Record<string, unknown>;
  if (!Array.isArray(counts)) throw new TypeError('rows of corrections without counts');
  return { counts: counts.map(Number), weight: Number(weight) };
}

function lengthClassOf({ from, to }: CorrectionRange): number {
  return correctionLengths.findIndex((length) => to - from <= length);
}

function nameOf(lengthClass: number): string {
  return elementAt(lengthNames, lengthClass);
}

function elementAt<Element>(list: readonly Element[], lengthClass: number): Element {
  const element = list[lengthClass];
  if (element === undefined) throw new TypeError(`corrections have no class ${lengthClass}`);
  return element;
}
