import { deviceKey } from '@engawa/keys';
import { isClosed, parseDevice, unlessDeleted } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { Gathering } from './gathering.ts';
import { joined } from './join-pieces.ts';
import {
  alignsToDays,
  hasFields,
  hoursOf,
  isWithin,
  oneDay,
  partsOf,
  piecesOf,
  runsOf,
  setSummary,
  unknown,
} from './pieces.ts';
import { unitsOfDevice } from '../readings/reading-store.ts';
import { expiredBefore, expiredBeforeBlocks } from './retention.ts';
import { RollupStore } from './rollup-store.ts';
import { correctedChunks } from '../corrections/corrected-chunks.ts';
import { Corrections } from '../corrections/corrections.ts';
import { scanReadings } from './scan-readings.ts';
import type { Budget } from '@engawa/http';
import type { Device, RollupWidth, Summary } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Piece } from './pieces.ts';
import type { Progress } from './progress.ts';
import type { MadeRollup, RollupTable } from './rollup-store.ts';

export interface DeviceSummariesOptions {
  table: Pick<Table, 'get'> & RollupTable;
  /** Corrections of a device; when absent, none are applied. */
  corrections?: (device: string, budget: Pick<Budget, 'charge'>) => Promise<Corrections>;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface SummariesQuestion {
  device: string;
  /** Epoch milliseconds, ascending: each but the last begins a bucket, each but the first ends one. */
  edges: readonly number[];
  /** What is before this is worked out although the budget is spent, unless `progress` says that it may wait. */
  atLeastUntil: number;
  budget: Budget;
  /** Whether percentiles are wanted. */
  withSketches?: boolean | undefined;
  /** Of the page that the summaries are for. */
  progress: Progress;
  signal: AbortSignal;
  log: Logger;
}

interface OpenBucket extends Pick<MadeRollup, 'version' | 'outdated' | 'isKept'> {
  /** Whether what the table has was made with other corrections. */
  isMiscorrected: boolean;
}

interface Work extends SummariesQuestion {
  /** When the question was asked: what is closed then stays closed. */
  now: number;
  /** The same for all of it: each rollup is named for those that it was made with. */
  corrections: Corrections;
  /** Buckets to keep as rollups once their summary is known, with what the table had of them before. */
  open: Map<Piece, OpenBucket>;
  /** Milliseconds that the blocks which were read are kept; Infinity without expiry. */
  retentions: number[];
  /** Epoch milliseconds: what was summed up of readings from before may lack some that have expired. */
  expiredBefore: number;
}

/** A long stretch of time is read in parts of 8 days, of which so many at once: while one is on its way, another is added up. */
const partMs = 8 * oneDay;
const partsAtOnce = 4;

/** Sums up what a device reported, from rollups where there are any, and makes those that are missing. */
export class DeviceSummaries {
  readonly #options: DeviceSummariesOptions;
  readonly #rollups: RollupStore;

  constructor(options: DeviceSummariesOptions) {
    this.#options = options;
    this.#rollups = new RollupStore(options.table);
  }

  /** A summary for each bucket from the first on, fewer where the budget is spent first. */
  async of(question: SummariesQuestion): Promise<Summary[]> {
    const { device, edges, budget, progress } = question;
    if (budget.isSpent && progress.mayStop) return [];
    const now = this.#options.now();
    const corrections = await this.correctionsOf(device, budget);
    const unread = { open: new Map(), retentions: [], expiredBefore: Infinity };
    const work: Work = { ...question, ...unread, corrections, now };
    const days = alignsToDays(edges);
    const buckets = edges.slice(1).map((to, index) => piecesOf(edges[index] ?? to, to, days));
    await this.#fill(work, buckets.flat());
    return joined(buckets, corrections.isReset);
  }

  /** As they were a few seconds ago or are now. */
  async correctionsOf(device: string, budget: Pick<Budget, 'charge'>): Promise<Corrections> {
    return (await this.#options.corrections?.(device, budget)) ?? Corrections.none;
  }

  /** Gives the pieces their summaries, from the first on. */
  async #fill(work: Work, pieces: readonly Piece[]): Promise<void> {
    const days = pieces.filter(({ width }) => width === 'P1D');
    await this.#readRollups(work, days, 'P1D');
    // Made of its hours, whose rollups were made invalid before the day's was.
    const hoursOfDays = new Map(unknown(days).map((day) => [day, hoursOf(day)]));
    const small = pieces.flatMap((piece) =>
      piece.width === 'P1D' ? (hoursOfDays.get(piece) ?? []) : [piece],
    );
    await this.#readRollups(
      work,
      small.filter(({ width }) => width === 'PT1H'),
      'PT1H',
    );
    const missing = unknown(small);
    try {
      await this.#readReadings(work, missing);
    } finally {
      markExpired(work, missing);
      // Also where reading was cancelled: the next question gets further then.
      for (const [day, hours] of hoursOfDays) {
        setSummary(day, joined([hours], work.corrections.isReset)[0]);
        preferOutdated(work, day);
      }
      await this.#keep(work, [...small, ...hoursOfDays.keys()]);
    }
  }

  async #readRollups(work: Work, pieces: readonly Piece[], width: RollupWidth): Promise<void> {
    const { device, budget, signal, now, open, corrections, withSketches = false } = work;
    for (const run of runsOf(pieces, oneDay)) {
      const known = await this.#rollups.read({
        device,
        width,
        ...run,
        withSketches,
        budget,
        signal,
      });
      for (const piece of pieces) {
        if (!isWithin(piece, run)) continue;
        const rollup = known.get(piece.from);
        const { summary, version, isOutdated, hasSketches } = rollup ?? {};
        const isMiscorrected = rollup?.corrections !== corrections.tagOf(piece);
        const isKept = summary !== undefined && isOutdated !== true && !isMiscorrected;
        const isEnough = !withSketches || hasSketches === true || summary?.fields.size === 0;
        if (isKept && isEnough) piece.summary = summary;
        else if (isClosed({ width, start: piece.from }, now)) {
          open.set(piece, { version, outdated: summary, isMiscorrected, isKept });
        }
      }
    }
  }

  async #readReadings(work: Work, pieces: readonly Piece[]): Promise<void> {
    const { budget, signal } = work;
    const { table } = this.#options;
    if (pieces.length === 0) return;
    // Behind the versions of the rollups: ingestion raises the span before it makes a rollup invalid, and stores by epochs that
    // were there before. What is stored from now on makes the version another, however long this takes.
    budget.charge(unitsOfDevice);
    const key = deviceKey(work.device);
    const item = unlessDeleted(await table.get(key, { consistent: true, signal }));
    const device = item && parseDevice(item);
    if (device === undefined) work.open.clear(); // or rollups would be left of a device that is being erased
    const question = { table, ...work, device, pieces };
    try {
      const parts = runsOf(pieces).flatMap((run) => partsOf(run, partMs));
      await inTurns(parts, partsAtOnce, async (part) => {
        const inside = pieces.filter((piece) => isWithin(piece, part));
        await this.#readPart(work, device, part, inside);
      });
    } finally {
      work.expiredBefore = expiredBefore(question);
    }
    if (work.retentions.length === 0) work.expiredBefore = await expiredBeforeBlocks(question);
  }

  async #readPart(
    work: Work,
    device: Device | undefined,
    part: TimeRange,
    pieces: readonly Piece[],
  ): Promise<void> {
    const { budget, signal, now, atLeastUntil, open, progress, retentions, corrections } = work;
    const { table } = this.#options;
    const mayStop = (reached: number) =>
      budget.isSpent && (reached >= atLeastUntil || progress.mayStop);
    if (mayStop(part.from)) return;
    const gathering = new Gathering(pieces, corrections.isReset, work.withSketches ?? false);
    if (device !== undefined) {
      const chunks = scanReadings({ table, device, now, budget, signal, ...part });
      for await (const chunk of correctedChunks(chunks, corrections.counted, part)) {
        if (chunk.retention !== undefined) retentions.push(chunk.retention);
        gathering.add(chunk.readings);
        progress.isUnderWay ||= pieces.some((piece) => open.has(piece) && hasFields(piece));
        if (mayStop(chunk.readings.at(-1)?.time ?? part.from)) return;
      }
    }
    gathering.end();
  }

  /** Keeps what was made; were that lost, the next question would make it again. */
  async #keep(work: Work, pieces: readonly Piece[]): Promise<void> {
    const { device, open, log, progress, corrections } = work;
    const firstKnown = Math.min(...pieces.filter(hasFields).map(({ from }) => from));
    const made = pieces.flatMap((piece): MadeRollup[] => {
      const { width, summary, from } = piece;
      const before = open.get(piece);
      if (width === undefined || summary === undefined || before === undefined) return [];
      // Of an empty time before all that is known there is no end. What has begun to expire is not known whole.
      if (from < firstKnown || isExpired(summary)) return [];
      const { version, outdated, isKept } = before;
      const made = { corrections: corrections.tagOf(piece), version, outdated, isKept };
      return [{ width, start: from, ...made, summary }];
    });
    try {
      progress.kept += await this.#rollups.write(device, made);
    } catch (error) {
      log.warn({ err: error, device }, 'storing rollups failed');
    }
  }
}

/** Readings of these pieces may have expired: a rollup of an earlier format tells more then, and is taken over. */
function markExpired(work: Work, pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (piece.summary === undefined || piece.from >= work.expiredBefore) continue;
    piece.summary.expiredUntil = piece.to;
    preferOutdated(work, piece);
  }
}

function preferOutdated({ open, corrections }: Work, piece: Piece): void {
  const { outdated, isMiscorrected } = open.get(piece) ?? {};
  if (outdated === undefined || piece.summary === undefined || !isExpired(piece.summary)) return;
  if (isMiscorrected !== true) piece.summary = outdated;
  // A day has what its hours have.
  else if (piece.width !== 'P1D') corrections.keepUntouched(piece, outdated, piece.summary);
}

function isExpired({ expiredUntil }: Summary): boolean {
  return expiredUntil > -Infinity;
}
