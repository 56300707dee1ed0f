import type { RequestBudget } from '@engawa/http';
import type { Summary } from '@engawa/model';
import type { Logger } from 'pino';
import type { Corrections } from '../corrections/corrections.ts';
import type { Piece } from './pieces.ts';
import type { Progress } from './progress.ts';
import type { MadeRollup } from './rollup-store.ts';

export interface SummariesRequest {
  device: string;
  /** Epoch milliseconds, ascending: the boundaries of the buckets. */
  edges: readonly number[];
  /**
   * Epoch milliseconds: buckets before this are computed even if the budget is spent, unless
   * `progress` allows to stop.
   */
  atLeastUntil: number;
  budget: RequestBudget;
  /** Whether percentiles are requested. */
  withSketches?: boolean | undefined;
  /** The progress of the page. */
  progress: Progress;
  signal: AbortSignal;
  log: Logger;
}

interface OpenBucket extends Pick<MadeRollup, 'version' | 'outdated' | 'isKept'> {
  /** Whether the stored rollup was made with other corrections. */
  isMiscorrected: boolean;
}

export interface SummariesWork extends SummariesRequest {
  /** Epoch milliseconds of the request: a bucket that is closed by then stays closed. */
  now: number;
  /** One state of the corrections for the whole request: each rollup names those that it was made with. */
  corrections: Corrections;
  /** Buckets to store as rollups once their summary is known, with the stored rollup they replace. */
  open: Map<Piece, OpenBucket>;
  /** Retention of the blocks that were read, in milliseconds; Infinity without expiry. */
  retentions: number[];
  /** Epoch milliseconds: readings from before this may have expired. */
  expiredBefore: number;
}

/** Marks pieces whose readings may have expired. A stored rollup of an earlier format then knows more, and is used. */
export function markExpired(work: SummariesWork, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (piece.summary === undefined || piece.from >= work.expiredBefore) continue;
    piece.summary.expiredUntil = piece.to;
    preferOutdated(work, piece);
  }
}

export function preferOutdated({ open, corrections }: SummariesWork, piece: Piece): void {
  const { outdated, isMiscorrected } = open.get(piece) ?? {};
  if (outdated === undefined || piece.summary === undefined || !isExpired(piece.summary)) return;
  if (isMiscorrected !== true) piece.summary = outdated;
  // A day is made of its hours, which have this already.
  else if (piece.width !== 'P1D') corrections.keepUntouched(piece, outdated, piece.summary);
}

export function isExpired({ expiredUntil }: Summary): boolean {
  return expiredUntil > -Infinity;
}
