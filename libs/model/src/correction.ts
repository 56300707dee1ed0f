import { correctionKey, parseKey } from '@engawa/keys';
import { columnsOf, lastTimeOf, readingsOf } from './block.ts';
import { parseCorrectionRows } from './correction-rows.ts';
import { keyOf } from './place.ts';
import { contentOf } from './reading.ts';
import type { BlockColumns } from './block.ts';
import type { CorrectionRows } from './correction-rows.ts';
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

/** A move of the device to another place, which ends corrections by clients that are restricted to places. */
export interface CorrectionCut {
  /** Number of corrections made before: no later one is cut. */
  made: number;
  /** The time of the move. */
  at: number;
}

/** State of a device's corrections, in the device's item. */
export interface CorrectionState {
  /** A unique tag of the current corrections: cached corrections are valid while the item has the same tag. */
  version: string;
  /** Number of corrections ever made, including undone ones. */
  made: number;
  /** The latest end of the corrections that have `within`: a move to another place before this time cuts them. */
  openUntil?: number;
  /** In order of time; absent for none. */
  cuts?: readonly CorrectionCut[];
  /** Present once each correction also has a row by its time. */
  rows?: CorrectionRows;
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

export function parseCorrectionState(state: unknown): CorrectionState {
  const { version, made, openUntil, cuts, rows } = state as Record<string, unknown>;
  return {
    version: String(version),
    made: Number(made),
    ...(openUntil !== undefined && { openUntil: Number(openUntil) }),
    ...(Array.isArray(cuts) && { cuts: cuts.map(parseCut) }),
    ...(rows !== undefined && { rows: parseCorrectionRows(rows) }),
  };
}

/** The state as it is stored. */
export function correctionStateDocument({ cuts, rows, ...state }: CorrectionState): Document {
  return {
    ...state,
    ...(cuts !== undefined && { cuts: cuts.map((cut) => ({ ...cut })) }),
    ...(rows !== undefined && { rows: { ...rows, counts: [...rows.counts] } }),
  };
}

/**
 * The ranges in which a correction applies: what a client that is restricted to places may change ends where the
 * device leaves the place (docs/adr/0104).
 */
export function appliedRanges(
  { from, to, within, sequence }: Pick<Correction, 'from' | 'to' | 'within' | 'sequence'>,
  { cuts = [] }: Pick<CorrectionState, 'cuts'> = {},
): CorrectionRange[] {
  if (within === undefined) return [{ from, to }];
  const end = cuts.find(({ made }) => made >= sequence)?.at ?? Infinity;
  return within
    .map((range) => ({ from: range.from, to: Math.min(range.to, end) }))
    .filter((range) => range.from < range.to);
}

/**
 * The state after the device left its place; the same one where no correction reaches so far.
 * @param at the time of the move, which is later than all earlier ones
 * @param version a new one
 */
export function cutCorrections(
  state: CorrectionState,
  at: number,
  version: string,
): CorrectionState {
  const { openUntil = 0, cuts = [], ...rest } = state;
  if (openUntil <= at) return state;
  return { ...rest, version, cuts: [...cuts, { made: state.made, at }] };
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

function parseCut(cut: unknown): CorrectionCut {
  const { made, at } = cut as Record<string, unknown>;
  return { made: Number(made), at: Number(at) };
}
