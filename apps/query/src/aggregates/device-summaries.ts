import { deviceKey } from '@engawa/keys';
import { isClosed, parseDevice, Summary, unlessDeleted } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { alignsToDays, hoursOf, oneDay, partsOf, piecesOf, runsOf } from './pieces.ts';
import type { Budget } from '@engawa/http';
import type { Reading, Rollup, RollupWidth } from '@engawa/model';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Piece } from './pieces.ts';
import { RollupStore } from './rollup-store.ts';
import { scanReadings } from './scan-readings.ts';
import type { Table } from '@engawa/table';
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
  /** What is before this has to be known, whatever it costs: a page with nothing in it would be asked for again and again. */
  atLeastUntil: number;
  budget: Budget;
  signal: AbortSignal;
  log: Logger;
}

interface Work extends SummariesQuestion {
  /** When the question was asked: what is closed then stays closed. */
  now: number;
  /** Buckets to keep as rollups once their summary is known, with the version read before. */
  open: Map<Piece, string | undefined>;
  retention: number;
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
    const { edges } = question;
    const work: Work = {
      ...question,
      now: this.#options.now(),
      open: new Map(),
      retention: Infinity,
    };
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
    try {
      await this.#readReadings(work, unknown(small));
    } finally {
      // Also where that was ended from outside: who asks again gets further then.
      for (const [day, hours] of hoursOfDays) setSummary(day, joined([hours])[0]);
      await this.#keep(work, [...small, ...hoursOfDays.keys()]);
    }
  }

  async #readRollups(work: Work, pieces: readonly Piece[], width: RollupWidth): Promise<void> {
    const { device, budget, signal, now, open } = work;
    for (const run of runsOf(pieces, oneDay)) {
      const known = await this.#rollups.read({ device, width, ...run, budget, signal });
      for (const piece of pieces) {
        if (!isWithin(piece, run)) continue;
        const { summary, version }: Partial<Rollup> = known.get(piece.from) ?? {};
        if (summary !== undefined) piece.summary = summary;
        else if (isClosed({ width, start: piece.from }, now)) open.set(piece, version);
      }
    }
  }

  async #readReadings(work: Work, pieces: readonly Piece[]): Promise<void> {
    const { budget, signal, now, atLeastUntil } = work;
    const { table } = this.#options;
    if (pieces.length === 0) return;
    // Behind the versions of the rollups: whoever made one invalid has raised the span before, and stored by epochs that had
    // been there before. What is stored from now on makes the version another, however long this takes.
    const key = deviceKey(work.device);
    const item = unlessDeleted(await table.get(key, { consistent: true, signal }));
    const device = item && parseDevice(item);
    const parts = runsOf(pieces).flatMap((run) => partsOf(run, partMs));
    await inTurns(parts, partsAtOnce, async (part) => {
      if (budget.isSpent && part.from >= atLeastUntil) return;
      const gathering = new Gathering(pieces.filter((piece) => isWithin(piece, part)));
      if (device !== undefined) {
        for await (const chunk of scanReadings({ table, device, now, budget, signal, ...part })) {
          work.retention = Math.min(work.retention, chunk.retention);
          for (const reading of chunk.readings) gathering.add(reading);
          const reached = chunk.readings.at(-1)?.time ?? part.from;
          if (budget.isSpent && reached >= atLeastUntil) return;
        }
      }
      gathering.end();
    });
  }

  /** Keeps what was made; were that lost, the next who asks would make it again. */
  async #keep(work: Work, pieces: readonly Piece[]): Promise<void> {
    const { device, open, now, retention, log } = work;
    const firstKnown = Math.min(
      ...pieces
        .filter(({ summary }) => summary && summary.fields.size > 0)
        .map((piece) => piece.from),
    );
    const made = pieces.flatMap((piece): MadeRollup[] => {
      const { width, summary } = piece;
      // Of an empty time before all that is known there is no end. Of one that has begun to expire nobody knows all.
      const isWorthIt = piece.from >= firstKnown && piece.from + retention > now;
      if (width === undefined || summary === undefined || !open.has(piece) || !isWorthIt) return [];
      return [{ width, start: piece.from, version: open.get(piece), summary }];
    });
    try {
      await this.#rollups.write(device, made);
    } catch (error) {
      log.warn({ err: error, device }, 'rollups could not be kept');
    }
  }
}

/** Gives readings, which come in order of time, to the pieces that they are in. */
class Gathering {
  readonly #pieces: readonly Piece[];
  #index = 0;
  #summary = new Summary();

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  add(reading: Reading): void {
    while (reading.time >= (this.#pieces[this.#index]?.to ?? Infinity)) this.#next();
    this.#summary.add(reading);
  }

  /** There are no more readings. */
  end(): void {
    while (this.#index < this.#pieces.length) this.#next();
  }

  #next(): void {
    const piece = this.#pieces[this.#index];
    if (piece !== undefined) piece.summary = this.#summary;
    this.#summary = new Summary();
    this.#index += 1;
  }
}

function isWithin(piece: TimeRange, run: TimeRange): boolean {
  return piece.from >= run.from && piece.to <= run.to;
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
