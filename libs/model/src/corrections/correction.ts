import { correctionKey, parseKey } from '@engawa/keys';
import { columnsOf, lastTimeOf, readingsOf } from '../readings/block.ts';
import { keyOf } from '../places/place.ts';
import { contentOf } from '../readings/reading.ts';
import type { BlockColumns } from '../readings/block.ts';
import type { Document } from '../values/item-size.ts';
import type { Reading } from '../readings/reading.ts';

/**
 * Effect of a correction on the readings of its range. `delete` and `replace` hide them, `ignore` hides them from
 * aggregates only, `reset` marks a reset of counters.
 */
export const correctionOperations = ['delete', 'replace', 'ignore', 'reset'] as const;
export type CorrectionOperation = (typeof correctionOperations)[number];

/** A change to a device's readings, stored separately from them (docs/adr/0048). Times are epoch milliseconds. */
export interface Correction {
  device: string;
  id: string;
  /** Sequence number within the device, from 1: corrections apply in this order. */
  sequence: number;
  operation: CorrectionOperation;
  /** The range, with its start and without its end; a `reset` covers one millisecond. */
  from: number;
  to: number;
  /** Absent: all fields. */
  fields?: readonly string[];
  /** The replacement readings of a `replace`, in order of time. */
  readings?: readonly Reading[];
  why: string;
  /** The subject of the token; absent where tokens are not checked. */
  by?: string;
  madeAt: number;
  /**
   * For a correction by a client that is restricted to places: the parts of the range in which the device was there,
   * in order of time. A later move may end them earlier (`appliedRanges`). Absent: the whole range.
   */
  within?: readonly CorrectionRange[];
  /** Present once the correction was undone: it no longer applies. */
  undoneAt?: number;
  undoneBy?: string;
}

/** With its start and without its end. */
export interface CorrectionRange {
  from: number;
  to: number;
}

/** Maximum size of the item of a correction. */
export const maxCorrectionBytes = 4096;

export function correctionItem(correction: Correction): Document {
  const { device, id, fields, readings, within, ...plain } = correction;
  return {
    ...correctionKey(device, id),
    ...plain,
    ...(within !== undefined && { within: within.flatMap(({ from, to }) => [from, to]) }),
    ...(fields !== undefined && { names: [...fields] }),
    ...(readings !== undefined && {
      // An item with `offsets` and `fields` at its top level would be a block.
      replacement: { ...columnsOf(readings), newest: lastTimeOf(readings) },
    }),
  };
}

/** @throws TypeError when the item is neither a correction nor the row of one */
export function parseCorrection(item: Document): Correction {
  const key = parseKey(keyOf(item));
  if (key.item !== 'correction' && key.item !== 'correctionRow') {
    throw new TypeError(`not a correction: ${key.item}`);
  }
  const { operation, names, replacement, why, by, within, undoneAt, undoneBy } = item;
  const known = correctionOperations.find((one) => one === operation);
  if (known === undefined) throw new TypeError(`not a correction: ${key.correction}`);
  return {
    device: key.device,
    id: key.correction,
    sequence: Number(item['sequence']),
    operation: known,
    from: Number(item['from']),
    to: Number(item['to']),
    ...(Array.isArray(names) && { fields: names.map(String) }),
    ...(replacement !== undefined && { readings: replacementOf(replacement) }),
    why: typeof why === 'string' ? why : '',
    ...(typeof by === 'string' && { by }),
    madeAt: Number(item['madeAt']),
    ...(Array.isArray(within) && { within: rangesOf(within.map(Number)) }),
    ...(undoneAt !== undefined && { undoneAt: Number(undoneAt) }),
    ...(typeof undoneBy === 'string' && { undoneBy }),
  };
}

/** Whether two corrections request the same change; author and time are not compared. */
export function isSameCorrection(left: Correction, right: Correction): boolean {
  return contentOfCorrection(left) === contentOfCorrection(right);
}

function contentOfCorrection(correction: Correction): string {
  const { operation, from, to, fields, readings, why } = correction;
  const texts = readings?.map((reading) => [reading.time, contentOf(reading)]);
  return JSON.stringify([operation, from, to, fields?.toSorted(), texts, why]);
}

function replacementOf(replacement: unknown): Reading[] {
  const { newest, ...columns } = replacement as BlockColumns & { newest: unknown };
  return readingsOf(columns, Number(newest));
}

function rangesOf(times: readonly number[]): CorrectionRange[] {
  const ranges: CorrectionRange[] = [];
  for (let index = 0; index < times.length; index += 2) {
    const [from, to] = times.slice(index, index + 2);
    if (from === undefined || to === undefined) throw new TypeError('a range without an end');
    ranges.push({ from, to });
  }
  return ranges;
}
