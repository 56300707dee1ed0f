import { deviceKey } from '@engawa/keys';
import { isClosed, parseDevice, Summary, unlessDeleted } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { Gathering } from './gathering.ts';
import { alignsToDays, hoursOf, isWithin, oneDay, partsOf, piecesOf, runsOf } from './pieces.ts';
import { unitsOfDevice } from '../readings/reading-store.ts';
import { expiredBefore, expiredBeforeBlocks } from './retention.ts';
import { RollupStore } from './rollup-store.ts';
import { scanReadings } from './scan-readings.ts';
import type { Budget } from '@engawa/http';
import type { Device, RollupWidth } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Piece } from './pieces.ts';
import type { Progress } from './progress.ts';
import type { MadeRollup, RollupTable } from './rollup-store.ts';

export interface DeviceSummariesOptions {
  table: Pick<Table, 'get'> & RollupTable;
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

interface Work extends SummariesQuestion {
  /** When the question was asked: what is closed then stays closed. */
  now: number;
  /** Buckets to keep as rollups once their summary is known, with what the table had of them before. */
  open: Map<Piece, Pick<MadeRollup, 'version' | 'outdated' | 'isKept'>>;
  /** Milliseconds that the blocks which were read are kept; Infinity for ever. */
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
    const { edges, budget, progress } = question;
    if (budget.isSpent && progress.mayStop) return [];
    const now = this.#options.now();
    const unread = { open: new Map(), retentions: [], expiredBefore: Infinity };
    const work: Work = { ...question, ...unread, now };
    const days = alignsToDays(edges);
    const buckets = edges.slice(1).map((to, index) => piecesOf(edges[index] ?? to, to, days));
    await this.#fill(work, buckets.flat());
    return joined(buckets);
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
        setSummary(day, joined([hours])[0]);
        preferOutdated(work, day);
      }
      await this.#keep(work, [...small, ...hoursOfDays.keys()]);
    }
  }

  async #readRollups(work: Work, pieces: readonly Piece[], width: RollupWidth): Promise<void> {
    const { device, budget, signal, now, open, withSketches = false } = work;
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
        const { summary, version, isOutdated, hasSketches } = known.get(piece.from) ?? {};
        const isKept = summary !== undefined && isOutdated !== true;
        const isEnough = !withSketches || hasSketches === true || summary?.fields.size === 0;
        if (isKept && isEnough) piece.summary = summary;
        else if (isClosed({ width, start: piece.from }, now)) {
          open.set(piece, { version, outdated: summary, isKept });
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
    const { budget, signal, now, atLeastUntil, open, progress, retentions } = work;
    const { table } = this.#options;
    const mayStop = (reached: number) =>
      budget.isSpent && (reached >= atLeastUntil || progress.mayStop);
    if (mayStop(part.from)) return;
    const gathering = new Gathering(pieces, work.withSketches ?? false);
    if (device !== undefined) {
      for await (const chunk of scanReadings({ table, device, now, budget, signal, ...part })) {
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
    const { device, open, log, progress } = work;
    const firstKnown = Math.min(...pieces.filter(hasFields).map(({ from }) => from));
    const made = pieces.flatMap((piece): MadeRollup[] => {
      const { width, summary, from } = piece;
      const before = open.get(piece);
      if (width === undefined || summary === undefined || before === undefined) return [];
      // Of an empty time before all that is known there is no end. What has begun to expire is not known whole.
      if (from < firstKnown || isExpired(summary)) return [];
      return [{ width, start: from, ...before, summary }];
    });
    try {
      progress.kept += await this.#rollups.write(device, made);
    } catch (error) {
      log.warn({ err: error, device }, 'rollups could not be kept');
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

function preferOutdated({ open }: Work, piece: Piece): void {
  const { outdated } = open.get(piece) ?? {};
  if (outdated !== undefined && piece.summary && isExpired(piece.summary)) piece.summary = outdated;
}

function isExpired({ expiredUntil }: Summary): boolean {
  return expiredUntil > -Infinity;
}

function hasFields({ summary }: Piece): boolean {
  return summary !== undefined && summary.fields.size > 0;
}

function setSummary(piece: Piece, summary: Summary | undefined): void {
  if (summary !== undefined) piece.summary = summary;
}

function unknown(pieces: readonly Piece[]): Piece[] {
  return pieces.filter(({ summary }) => summary === undefined);
}

/** One summary for each list of pieces, up to the first that is not known whole. */
function joined(lists: readonly (readonly Piece[])[]): Summary[] {
  const summaries: Summary[] = [];
  for (const pieces of lists) {
    const parts = pieces.map(({ summary }) => summary);
    const [first] = parts;
    if (parts.includes(undefined)) return summaries;
    if (first !== undefined && parts.length === 1) summaries.push(first);
    else summaries.push(appended(parts));
  }
  return summaries;
}

function appended(parts: readonly (Summary | undefined)[]): Summary {
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.append(part);
  return summary;
}
