import { correctionKey, parseKey } from '@engawa/keys';
import { columnsOf, readingsOf } from './block.ts';
import { keyOf } from './place.ts';
import { contentOf } from './reading.ts';
import type { BlockColumns } from './block.ts';
import type { Document } from './item-size.ts';
import type { Reading } from './reading.ts';

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
  /** Present once the correction was undone: it no longer applies. */
  undoneAt?: number;
  undoneBy?: string;
}

/** State of a device's corrections, in the device's item. */
export interface CorrectionState {
  /** A unique tag of the current corrections: cached corrections are valid while the item has the same tag. */
  version: string;
  /** Number of corrections ever made, including undone ones. */
  made: number;
}

/** Maximum corrections of a device: readers cache all of them. */
export const maxCorrectionBytes = 4096;

export function correctionItem(correction: Correction): Document {
  const { device, id, fields, readings, ...plain } = correction;
  return {
    ...correctionKey(device, id),
    ...plain,
    ...(fields !== undefined && { names: [...fields] }),
    ...(readings !== undefined && {
      // An item with `offsets` and `fields` at its top level would be a block.
      replacement: { ...columnsOf(readings), newest: readings.at(-1)?.time ?? 0 },
    }),
  };
}

/** @throws TypeError when the item is not a correction */
export function parseCorrection(item: Document): Correction {
  const key = parseKey(keyOf(item));
  if (key.item !== 'correction') throw new TypeError(`not a correction: ${key.item}`);
  const { operation, names, replacement, why, by, undoneAt, undoneBy } = item;
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
    ...(undoneAt !== undefined && { undoneAt: Number(undoneAt) }),
    ...(typeof undoneBy === 'string' && { undoneBy }),
  };
}

export function parseCorrectionState(state: unknown): CorrectionState {
  const { version, made } = state as Record<string, unknown>;
  return { version: String(version), made: Number(made) };
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
