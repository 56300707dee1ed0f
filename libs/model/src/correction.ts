import { correctionKey, parseKey } from '@engawa/keys';
import { columnsOf, readingsOf } from './block.ts';
import { keyOf } from './place.ts';
import { contentOf } from './reading.ts';
import type { BlockColumns } from './block.ts';
import type { Document } from './item-size.ts';
import type { Reading } from './reading.ts';

/**
 * What a correction does to the readings of its range. `delete` and `replace` hide them, `ignore`
 * hides them from aggregates alone, `reset` says that counters began again at its moment.
 */
export const correctionOperations = ['delete', 'replace', 'ignore', 'reset'] as const;
export type CorrectionOperation = (typeof correctionOperations)[number];

/**
 * A change of what a device's readings say, beside the readings themselves (docs/adr/0048). Times
 * are epoch milliseconds.
 */
export interface Correction {
  device: string;
  id: string;
  /** Its number among those of the device, from 1: corrections apply in this order. */
  sequence: number;
  operation: CorrectionOperation;
  /** The range, from its beginning on and before its end; of a reset, the moment and the millisecond behind it. */
  from: number;
  to: number;
  /** Absent: all fields. */
  fields?: readonly string[];
  /** Of a `replace`: what stands in the place of what it hides, in order of time. */
  readings?: readonly Reading[];
  why: string;
  /** The subject of the token; absent where tokens are not checked. */
  by?: string;
  madeAt: number;
  /** Present once somebody has undone it: it applies no more. */
  undoneAt?: number;
  undoneBy?: string;
}

/** What a device's item says of its corrections. */
export interface CorrectionState {
  /** Unlike any before: corrections read for it are those there are while the item has it. */
  version: string;
  /** How many have been made, undone ones included. */
  made: number;
}

/** A device has up to 1,000 corrections, and readers keep them all. */
export const maxCorrectionBytes = 4096;

export function correctionItem(correction: Correction): Document {
  const { device, id, fields, readings, ...plain } = correction;
  return {
    ...correctionKey(device, id),
    ...plain,
    ...(fields !== undefined && { names: [...fields] }),
    ...(readings !== undefined && {
      // Not `offsets` and `fields` beside each other: that would be a block.
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

/** Whether both ask for the same: who made them and when is no part of it. */
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
