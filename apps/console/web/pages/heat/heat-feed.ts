import { batch, signal } from '@preact/signals';
import { liveStatus } from '../../live/live-status.ts';
import { HeatGrid } from './heat-grid.ts';
import { fetchHistories, fetchReports } from './heat-sources.ts';
import { coveringServices, mergePartitions, services } from './merge-reports.ts';
import type { Resolution } from './heat-grid.ts';
import type { Unavailable } from './heat-sources.ts';
import type { ReportedPartition, ServiceName } from './merge-reports.ts';

/** Milliseconds until the next poll; shorter while a service has not reported the newest column yet. */
const delays = {
  second: { complete: 500, incomplete: 200 },
  minute: { complete: 5000, incomplete: 5000 },
} as const;
const delayAfterFailureMs = 3000;
/** How often the page asks all services again whether they are peers of each other, and for their reports. */
const coverMs = 60_000;
const reportMs = 2000;
/** The newest columns may still change, since clocks of processes differ. */
const changingColumns = 3;

/** Keeps the grid of a resolution up to date while the page is shown. */
export class HeatFeed {
  readonly grid: HeatGrid;
  /** Counts the changes of the grid. */
  readonly version = signal(0);
  readonly unavailable = signal<readonly Unavailable[]>([]);
  readonly partitions = signal<readonly ReportedPartition[]>([]);
  readonly error = signal<unknown>(undefined);
  #cover: readonly ServiceName[] = [];
  #coverUntil = 0;
  #reportAt = 0;
  readonly #ends = new Map<ServiceName, number>();
  readonly #closing = new AbortController();

  constructor(resolution: Resolution) {
    this.grid = new HeatGrid(resolution);
  }

  /** Polls until `close`. */
  async run(): Promise<void> {
    const { signal: closed } = this.#closing;
    liveStatus.value = 'connecting';
    while (!closed.aborted) {
      const delayMs = await this.#poll();
      await pause(delayMs, closed);
    }
  }

  close(): void {
    this.#closing.abort();
    liveStatus.value = 'idle';
  }

  /** @returns milliseconds until the next poll */
  async #poll(): Promise<number> {
    const { resolution, end } = this.grid;
    const { signal: closed } = this.#closing;
    const isFirst = end === 0;
    const isCheck = performance.now() >= this.#coverUntil;
    const asked = isCheck ? services : this.#cover;
    const from = isFirst ? {} : { fromMs: this.#pollFrom() };
    const [{ answers, unavailable }] = await Promise.all([
      fetchHistories(asked, { resolution, ...from }, closed),
      this.#pollReports(),
    ]);
    if (closed.aborted) return 0;
    if (answers.size === 0) return this.#fail(unavailable);
    if (isCheck && !this.#chooseCover(coveringServices(answers))) return 0;
    if (isFirst) await this.#pollReports();
    for (const [service, { start, columns }] of answers) {
      this.#ends.set(service, Date.parse(start) / this.grid.stepMs + columns);
    }
    batch(() => {
      const reports = this.#cover.flatMap((service) => answers.get(service) ?? []);
      this.grid.apply(reports);
      this.version.value += 1;
      if (isCheck || unavailable.length > 0) this.unavailable.value = unavailable;
      this.error.value = undefined;
      liveStatus.value = 'open';
    });
    // A service that does not answer may be covered by another one now.
    if (unavailable.length > 0) this.#coverUntil = performance.now() + delayAfterFailureMs;
    const isComplete = this.#cover.every((service) => this.#ends.get(service) === this.grid.end);
    const isNew = this.grid.end > end;
    return delays[resolution][isNew && isComplete ? 'complete' : 'incomplete'];
  }

  /** The start of the oldest column that may lack a service that was asked before. */
  #pollFrom(): number {
    const ends = this.#cover.map((service) => this.#ends.get(service) ?? this.grid.end);
    return (Math.min(...ends, this.grid.end) - changingColumns) * this.grid.stepMs;
  }

  /** @returns false where other services are asked from now on, so that all columns have to be loaded again */
  #chooseCover(cover: readonly ServiceName[]): boolean {
    this.#coverUntil = performance.now() + coverMs;
    const isSame = this.grid.end === 0 || cover.join() === this.#cover.join();
    this.#cover = cover;
    if (!isSame) this.grid.forget();
    return isSame;
  }

  #fail(unavailable: readonly Unavailable[]): number {
    batch(() => {
      this.unavailable.value = unavailable;
      this.error.value = unavailable[0]?.error;
      liveStatus.value = 'connecting';
    });
    return delayAfterFailureMs;
  }

  async #pollReports(): Promise<void> {
    if (performance.now() < this.#reportAt || this.#cover.length === 0) return;
    this.#reportAt = performance.now() + reportMs;
    const { answers } = await fetchReports(this.#cover, this.#closing.signal);
    if (answers.size > 0) this.partitions.value = mergePartitions(answers.values());
  }
}

/** Waits, and as long as the page is in the background; ends when `closed` aborts. */
async function pause(delayMs: number, closed: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    closed.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
  while (document.visibilityState === 'hidden' && !closed.aborted) {
    await new Promise((resolve) => {
      document.addEventListener('visibilitychange', resolve, { once: true });
      closed.addEventListener('abort', resolve, { once: true });
    });
  }
}
