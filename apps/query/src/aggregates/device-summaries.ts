import { setImmediate as nextTurn } from 'node:timers/promises';
import { invariant } from '@engawa/errors';
import { deviceKey } from '@engawa/keys';
import { isClosed, parseDevice, unlessDeleted } from '@engawa/model';
import pMap from 'p-map';
import { Gathering } from './gathering.ts';
import { joinSummaries } from './join-summaries.ts';
import {
  hasFields,
  hoursOf,
  isWithin,
  oneDay,
  rangesOfBuckets,
  runsOf,
  setSummary,
} from './summary-ranges.ts';
import { unitsOfDevice } from '../devices/device-store.ts';
import { expiredBefore, expiredBeforeBlocks } from './retention.ts';
import { RollupStore } from './rollup-store.ts';
import { Corrections } from '../corrections/corrections.ts';
import { chunksOfParts, readingParts } from './reading-parts.ts';
import { readingSlices } from './reading-slices.ts';
import {
  ascendingCorrections,
  endOfKnown,
  hasEnoughValues,
  isExpired,
  markExpired,
  preferOutdated,
  sizeOf,
  unknownIn,
} from './summaries-work.ts';
import type { DeviceStore } from '../devices/device-store.ts';
import type { RollupWidth, Summary } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';
import type { ReadingChunk } from './scan-readings.ts';
import type { SummaryRange } from './summary-ranges.ts';
import type { RollupMetrics } from './rollup-metrics.ts';
import type { RollupTable } from './rollup-store.ts';
import type { NewRollup } from './rollup-writer.ts';
import type { SummariesRequest, SummariesWork } from './summaries-work.ts';

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

const maxConcurrentParts = 4;

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
    const unread = { open: new Map(), values: new Map(), retentions: [] };
    const ends = { until: endOfKnown(ranges, corrections.known), expiredBefore: Infinity };
    const work: SummariesWork = { ...request, ...unread, ...ends, corrections, now };
    await this.#fill(work, ranges);
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

  /** Sets the summaries of the ranges, from the first on. */
  async #fill(work: SummariesWork, ranges: readonly SummaryRange[]): Promise<void> {
    const days = ranges.filter(({ width }) => width === 'P1D');
    await this.#readRollups(work, days, 'P1D');
    // A missing day is made of its hours: a late reading invalidates rollups of hours before those
    // of days.
    const hoursOfDays = new Map(unknownIn(work, days).map((day) => [day, hoursOf(day)]));
    const small = ranges.flatMap((range) =>
      range.width === 'P1D' ? (hoursOfDays.get(range) ?? []) : [range],
    );
    await this.#readRollups(
      work,
      small.filter(({ width }) => width === 'PT1H'),
      'PT1H',
    );
    const missing = unknownIn(work, small);
    try {
      await this.#readReadings(work, missing);
    } finally {
      markExpired(work, missing);
      // Also after a cancelled read: the next request then gets further.
      for (const [day, hours] of hoursOfDays) {
        setSummary(day, joinSummaries([hours], work.corrections.isReset)[0]);
        preferOutdated(work, day);
      }
      await this.#keep(work, [...small, ...hoursOfDays.keys()]);
    }
  }

  async #readRollups(
    work: SummariesWork,
    ranges: readonly SummaryRange[],
    width: RollupWidth,
  ): Promise<void> {
    const { now, open, corrections, withSketches = false } = work;
    const known = ranges.filter(({ from }) => from < work.until);
    for (const run of runsOf(known, oneDay)) {
      if (run.from >= work.until) return;
      const { rollups, until } = await this.#rollups.read({ ...work, width, ...run, withSketches });
      work.until = Math.min(work.until, until);
      for (const range of known) {
        if (!isWithin(range, run) || range.from >= work.until) continue;
        const rollup = rollups.get(range.from);
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
  }

  async #readReadings(work: SummariesWork, ranges: readonly SummaryRange[]): Promise<void> {
    const { budget, signal } = work;
    const { table } = this.#options;
    if (ranges.length === 0) return;
    // Read after the versions of the rollups: ingestion raises the span before it invalidates a
    // rollup, and stores to shards that were known before. Anything stored from now on changes the
    // version, however long this read takes.
    budget.charge(unitsOfDevice);
    const key = deviceKey(work.device);
    const item = unlessDeleted(await table.get(key, { consistent: true, signal }));
    const device = item && parseDevice(item);
    if (device === undefined) work.open.clear(); // or rollups would remain of a device that is being purged
    const request = { table, ...work, device, ranges };
    try {
      const parts = readingParts(ranges);
      const overlay = work.corrections.counted;
      const scan = { table, now: work.now, budget, signal, overlay };
      const chunksOf = device && (await chunksOfParts(parts, { ...scan, device }));
      const read = (part: TimeRange) => this.#readPart(work, chunksOf?.(part), part, ranges);
      await pMap(parts, read, { concurrency: maxConcurrentParts });
    } finally {
      work.expiredBefore = expiredBefore(request);
    }
    if (work.retentions.length === 0) work.expiredBefore = await expiredBeforeBlocks(request);
  }

  /** @param chunks the readings of the part; none where there is no such device */
  async #readPart(
    work: SummariesWork,
    chunks: AsyncIterable<ReadingChunk> | undefined,
    part: TimeRange,
    ranges: readonly SummaryRange[],
  ): Promise<void> {
    const { budget, atLeastUntil, open, progress, corrections } = work;
    const { retentions, values } = work;
    const mayStop = (reached: number) =>
      budget.isSpent && (reached >= atLeastUntil || progress.mayStop);
    const isEnough = (reached: number) =>
      reached >= atLeastUntil && hasEnoughValues(work, part.from);
    if (mayStop(part.from) || isEnough(part.from)) return;
    const count = (summary: Summary, { to }: TimeRange) => {
      const more = to > atLeastUntil ? sizeOf(summary) : 0;
      values.set(part.from, (values.get(part.from) ?? 0) + more);
      return isEnough(to);
    };
    const inside = ranges.filter((range) => isWithin(range, part));
    const gathering = new Gathering(inside, { ...work, isReset: corrections.isReset, count });
    for await (const chunk of chunks ?? []) {
      if (chunk.retention !== undefined) retentions.push(chunk.retention);
      for (const slice of readingSlices(chunk.readings)) {
        gathering.add(slice);
        if (slice.length < chunk.readings.length) await nextTurn();
      }
      progress.isUnderWay ||= inside.some((range) => open.has(range) && hasFields(range));
      if (gathering.isEnough || mayStop(chunk.readings.at(-1)?.time ?? part.from)) return;
    }
    gathering.end();
  }

  /** Stores complete rollups. If that fails, the next request makes them again. */
  async #keep(work: SummariesWork, ranges: readonly SummaryRange[]): Promise<void> {
    const { device, open, log, progress, corrections } = work;
    const firstKnown = Math.min(...ranges.filter(hasFields).map(({ from }) => from));
    const made = ranges.flatMap((range): NewRollup[] => {
      const { width, summary, from } = range;
      const before = open.get(range);
      if (width === undefined || summary === undefined || before === undefined) return [];
      // Empty buckets before the first reading are not stored: there is no end of them.
      if (from < firstKnown || isExpired(summary)) return [];
      const { version, outdated, isKept } = before;
      const made = { corrections: corrections.tagOf(range), version, outdated, isKept };
      return [{ width, start: from, ...made, summary }];
    });
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
