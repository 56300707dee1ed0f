import { invariant } from '@engawa/errors';
import { isClosed } from '@engawa/model';
import { Corrections } from '../corrections/corrections.ts';
import { joinSummaries } from './join-summaries.ts';
import { RollupStore } from './rollup-store.ts';
import { summariseReadings } from './summarise-readings.ts';
import {
  ascendingCorrections,
  endOfKnown,
  markExpired,
  preferOutdated,
  rollupsToStore,
  unknownIn,
} from './summaries-context.ts';
import {
  hoursOf,
  isWithin,
  oneDay,
  rangesOfBuckets,
  runsOf,
  setSummary,
} from './summary-ranges.ts';
import type { RollupWidth, Summary } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DeviceStore } from '../devices/device-store.ts';
import type { TimeRange } from '../time-range.ts';
import type { RollupMetrics } from './rollup-metrics.ts';
import type { RollupTable } from './rollup-store.ts';
import type { NewRollup } from './rollup-writer.ts';
import type { SummarisedReadings } from './summarise-readings.ts';
import type {
  OpenBucket,
  ReadRollups,
  SummariesContext,
  SummariesRequest,
} from './summaries-context.ts';
import type { SummaryRange } from './summary-ranges.ts';

export interface DeviceSummariesOptions {
  table: Pick<Table, 'get'> & RollupTable;
  /** Corrections of a device; by default none are applied. */
  corrections?: DeviceStore['findCorrections'];
  /** Absent in a process that no one scrapes. */
  metrics?: Pick<RollupMetrics, 'notStored'> | undefined;
  /** Epoch milliseconds. */
  now: () => number;
}

interface Edges {
  /** Epoch milliseconds, ascending. */
  edges: readonly number[];
}

/** Summarises the readings of a device: from stored rollups, and from readings where one is missing, and stores it. */
export class DeviceSummaries {
  readonly #options: DeviceSummariesOptions;
  readonly #rollups: RollupStore;

  constructor(options: DeviceSummariesOptions) {
    this.#options = options;
    this.#rollups = new RollupStore(options.table);
  }

  /** As `ofStays`, of a single stay with these boundaries of buckets. */
  of({ edges, ...request }: Omit<SummariesRequest, 'stays'> & Edges): Promise<Summary[]> {
    return this.ofStays({ ...request, stays: [edges] });
  }

  /**
   * One summary per bucket of each stay, from the first on; fewer where the budget is spent. All stays share the reads
   * of the device, of its rollups, and of readings with less than an hour between them.
   */
  async ofStays(request: SummariesRequest): Promise<Summary[]> {
    const { device, stays, budget, progress } = request;
    if (budget.isSpent && progress.mayStop) return [];
    const now = this.#options.now();
    const buckets = stays.flatMap((edges) => rangesOfBuckets(edges, request.cutAt));
    const ranges = buckets.flat();
    const { from } = invariant(ranges[0], 'a stay has at least one bucket');
    const { to } = invariant(ranges.at(-1), 'a stay has at least one bucket');
    const corrections = await this.correctionsOf(device, { from, to }, request);
    const context: SummariesContext = { ...request, corrections, now };
    const { made, failure } = await this.#summarise(context, ranges);
    // Also after a cancelled read: the next request then gets further.
    await this.#store(context, made);
    if (failure !== undefined) throw failure.error;
    return joinSummaries(buckets, corrections.isReset);
  }

  /** At most seconds old; of the range, or a part that ends at or after `atLeastUntil`. */
  async correctionsOf(
    device: string,
    range: TimeRange,
    { atLeastUntil, budget }: Pick<SummariesRequest, 'atLeastUntil' | 'budget'>,
  ): Promise<Corrections> {
    const request = ascendingCorrections(range, atLeastUntil);
    return (await this.#options.corrections?.(device, request, budget)) ?? Corrections.none;
  }

  /** Sets the summaries of the ranges, from the first on. @returns the rollups to store */
  async #summarise(
    context: SummariesContext,
    ranges: readonly SummaryRange[],
  ): Promise<Pick<SummarisedReadings, 'failure'> & { made: NewRollup[] }> {
    const { corrections } = context;
    const until = endOfKnown(ranges, corrections.known);
    const days = ranges.filter(({ width }) => width === 'P1D');
    const ofDays = await this.#readRollups(context, days, { width: 'P1D', until });
    // A missing day is made of its hours: a late reading invalidates rollups of hours before those
    // of days.
    const hoursOfDays = new Map(unknownIn(days, ofDays.until).map((day) => [day, hoursOf(day)]));
    const small = ranges.flatMap((range) =>
      range.width === 'P1D' ? (hoursOfDays.get(range) ?? []) : [range],
    );
    const hours = small.filter(({ width }) => width === 'PT1H');
    const ofHours = await this.#readRollups(context, hours, {
      width: 'PT1H',
      until: ofDays.until,
    });
    const missing = unknownIn(small, ofHours.until);
    const open = new Map([...ofDays.open, ...ofHours.open]);
    const options = { ...context, table: this.#options.table, open };
    const { isDeleted, expiredBefore, failure } = await summariseReadings(options, missing);
    const stored = { corrections, open: isDeleted ? new Map() : open };
    markExpired(missing, expiredBefore, stored);
    for (const [day, hours] of hoursOfDays) {
      setSummary(day, joinSummaries([hours], corrections.isReset)[0]);
      preferOutdated(day, stored);
    }
    return { made: rollupsToStore([...small, ...hoursOfDays.keys()], stored), failure };
  }

  /** Sets the summaries of ranges that have a rollup. */
  async #readRollups(
    context: SummariesContext,
    ranges: readonly SummaryRange[],
    { width, until: end }: { width: RollupWidth; until: number },
  ): Promise<ReadRollups> {
    const { now, corrections, withSketches = false } = context;
    const open = new Map<SummaryRange, OpenBucket>();
    const known = ranges.filter(({ from }) => from < end);
    let until = end;
    for (const run of runsOf(known, oneDay)) {
      if (run.from >= until) break;
      const read = await this.#rollups.read({ ...context, width, ...run, withSketches });
      until = Math.min(until, read.until);
      for (const range of known) {
        if (!isWithin(range, run) || range.from >= until) continue;
        const rollup = read.rollups.get(range.from);
        const { summary, version, isOutdated, hasSketches } = rollup ?? {};
        const isMiscorrected = rollup?.corrections !== corrections.tagOf(range);
        const isKept = summary !== undefined && isOutdated !== true && !isMiscorrected;
        const isEnough = !withSketches || hasSketches === true || summary?.fields.size === 0;
        if (isKept && isEnough) range.summary = summary;
        else if (isClosed({ width, start: range.from }, now)) {
          open.set(range, { version, outdated: summary, isMiscorrected, isKept });
        }
      }
    }
    return { open, until };
  }

  /** If this fails, the next request makes the rollups again. */
  async #store(
    { device, log, progress }: SummariesContext,
    made: readonly NewRollup[],
  ): Promise<void> {
    try {
      const { stored, tooLarge } = await this.#rollups.write(device, made);
      progress.kept += stored;
      if (tooLarge === 0) return;
      progress.failed += tooLarge;
      this.#options.metrics?.notStored('too_large', tooLarge);
      log.error({ device, tooLarge }, 'rollups do not fit into a transaction');
    } catch (error) {
      progress.failed += made.length;
      this.#options.metrics?.notStored('failed', made.length);
      log.warn({ err: error, device }, 'storing rollups failed');
    }
  }
}
