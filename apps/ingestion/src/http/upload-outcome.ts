import { maxShown, showRefusals } from './show-refusals.ts';
import type { IngestResult, Refusal } from '../refusals/refusal.ts';
import type { UploadMetrics } from './upload-metrics.ts';

/** Outcome of the readings of a body: the first thousand refused readings and left-out values by name. */
export type UploadReport = { stored: number } & ReturnType<typeof showRefusals>;

/** Collects the outcome of the readings of a request. */
export class UploadOutcome {
  readonly #metrics: UploadMetrics;
  #report: UploadReport = { stored: 0, ...showRefusals([]) };

  constructor(metrics: UploadMetrics) {
    this.#metrics = metrics;
  }

  add({ stored, refusals }: IngestResult): void {
    const { refused, leftOut, ...counts } = showRefusals(refusals);
    this.#report.stored += stored;
    this.#report.refusedCount += counts.refusedCount;
    this.#report.leftOutCount += counts.leftOutCount;
    this.#report.refused.push(...refused.slice(0, maxShown - this.#report.refused.length));
    this.#report.leftOut.push(...leftOut.slice(0, maxShown - this.#report.leftOut.length));
    this.#metrics.stored(stored);
    this.#metrics.refused(counts.refusedCount);
  }

  refuse(refusal: Refusal): void {
    this.add({ stored: 0, refusals: [refusal] });
  }

  /** By index. */
  get report(): UploadReport {
    const { refused, leftOut, ...counts } = this.#report;
    return { ...counts, refused: byIndex(refused), leftOut: byIndex(leftOut) };
  }
}

function byIndex<Entry extends { index?: number | undefined }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}
