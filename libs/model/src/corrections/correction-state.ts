import { parseCorrectionRows } from './correction-rows.ts';
import type { CorrectionRows } from './correction-rows.ts';
import type { Correction, CorrectionRange } from './correction.ts';
import type { Document } from '../values/item-size.ts';

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

function parseCut(cut: unknown): CorrectionCut {
  const { made, at } = cut as Record<string, unknown>;
  return { made: Number(made), at: Number(at) };
}
