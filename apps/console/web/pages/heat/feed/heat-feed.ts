import { batch, signal } from '@preact/signals';
import { liveStatus } from '../../../live/live-status.ts';
import { HeatGrid } from '../heat-grid.ts';
import { HistoryRequests } from './history-requests.ts';
import { pause } from './pause.ts';
import { ServiceClock } from './service-clock.ts';
import { fetchHistories, fetchReports } from './heat-sources.ts';
import { coveringServices, mergePartitions, services } from './merge-reports.ts';
import type { Resolution } from '../heat-grid.ts';
import type { Unavailable } from './heat-sources.ts';
import type { ReportedPartition, ServiceName } from './merge-reports.ts';

/**
 * Milliseconds until the next poll, at most and at least. By seconds, polls are sent as soon as the services have
 * recorded a second (`ServiceClock`), and half a second later for processes that recorded it late. So a use of a key is
 * drawn within 1 s (its second ends) + 75 ms (the clocks) + the request and the drawing; from a process whose timer is
 * late by up to half a second, within 500 ms more (ADR 0086).
 */
const pollMs = { least: 20, most: 500 } as const;
/** While a service has not reported the newest column yet. */
const incompleteMs = 200;
/** The last minute is the running one, which has each second as soon as it is recorded. */
const minutePollMs = 800;
const delayAfterFailureMs = 3000;
/** How often the page asks all services again whether they are peers of each other, and for their reports. */
const coverMs = 60_000;
const reportMs = 1000;
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
  #isReporting = false;
  readonly #clock = new ServiceClock();
  readonly #requests = new HistoryRequests();
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
    this.#requests.close();
    liveStatus.value = 'idle';
  }

  /** @returns milliseconds until the next poll */
  async #poll(): Promise<number> {
    const { resolution, end } = this.grid;
    const { signal } = this.#closing;
    const isCheck = performance.now() >= this.#coverUntil;
    const asked = isCheck ? services : this.#cover;
    const from = end === 0 ? {} : { fromMs: this.#pollFrom() };
    const sentMs = performance.now();
    // The map does not wait for reports, whose peers may be slow.
    void this.#pollReports();
    const { answers, unavailable } = await fetchHistories(
      asked,
      { resolution, ...from },
      { requests: this.#requests, signal },
    );
    const receivedMs = performance.now();
    if (signal.aborted) return 0;
    if (answers.size === 0) return this.#fail(unavailable);
    if (isCheck && !this.#chooseCover(coveringServices(answers))) return 0;
    if (end === 0) void this.#pollReports();
    for (const [service, { first, columns }] of answers) this.#ends.set(service, first + columns);
    await this.grid.apply(this.#cover.flatMap((service) => answers.get(service) ?? []));
    if (this.#closing.signal.aborted) return 0;
    batch(() => {
      this.version.value += 1;
      if (isCheck || unavailable.length > 0) this.unavailable.value = unavailable;
      this.error.value = undefined;
      liveStatus.value = 'open';
    });
    // A service that does not answer may be covered by another one now.
    if (unavailable.length > 0) this.#coverUntil = performance.now() + delayAfterFailureMs;
    return this.#delayMs(sentMs, receivedMs);
  }

  #delayMs(sentMs: number, receivedMs: number): number {
    const { resolution, end } = this.grid;
    if (resolution === 'minute') return minutePollMs;
    this.#clock.observe({ sentMs, receivedMs, end });
    const isComplete = this.#cover.every((service) => this.#ends.get(service) === end);
    const most = isComplete ? pollMs.most : incompleteMs;
    return Math.max(pollMs.least, Math.min(most, this.#clock.nextMs - performance.now()));
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

  /** Never rejects: a service that does not answer has no report. */
  async #pollReports(): Promise<void> {
    const isDue = performance.now() >= this.#reportAt && this.#cover.length > 0;
    if (!isDue || this.#isReporting) return;
    this.#isReporting = true;
    // A poll of the same second must not be too early by a few milliseconds.
    this.#reportAt = performance.now() + reportMs - pollMs.most / 2;
    const { answers } = await fetchReports(this.#cover, this.#closing.signal);
    this.#isReporting = false;
    if (answers.size > 0) this.partitions.value = mergePartitions(answers.values());
  }
}
