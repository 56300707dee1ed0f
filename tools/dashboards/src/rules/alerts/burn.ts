import { series } from '../../series.ts';
import type { Severity } from '../rule.ts';

/**
 * Below this count one client may have caused all bad requests, even where they are a large share
 * of little traffic.
 */
const minBadRequests = 10;

export interface BurnRate {
  /** Burn rate: 1 uses up the budget in exactly 30 days. */
  factor: number;
  long: string;
  /** Second window, which must exceed the rate too: the alert ends soon after the errors do. */
  short: string;
  /** Window, in minutes, of the count of bad requests. */
  countedMinutes: number;
  severity: Severity;
  /** Time in which this rate uses up the budget of 30 days. */
  lasts: string;
  /** The long window in words. */
  inWords: string;
}

/**
 * Several windows, several rates: Google's SRE workbook, chapter 5, "Alerting on SLOs"; a day as
 * kubernetes-mixin has it.
 */
export const burns: readonly BurnRate[] = [
  {
    ...{ factor: 14.4, long: '1h', short: '5m', countedMinutes: 60, severity: 'critical' },
    ...{ lasts: 'two days', inWords: 'hour' },
  },
  {
    ...{ factor: 6, long: '6h', short: '30m', countedMinutes: 360, severity: 'warning' },
    ...{ lasts: 'five days', inWords: 'six hours' },
  },
  {
    ...{ factor: 3, long: '1d', short: '2h', countedMinutes: 360, severity: 'warning' },
    ...{ lasts: 'ten days', inWords: 'day' },
  },
  {
    ...{ factor: 1, long: '3d', short: '6h', countedMinutes: 360, severity: 'warning' },
    ...{ lasts: '30 days', inWords: 'three days' },
  },
];

export interface Budget {
  /** Metric with the ratio of bad requests over a window. */
  ratio: (window: string) => string;
  /** Allowed ratio of bad requests. */
  allowed: string;
  /** PromQL for the number of bad requests. */
  bad: (minutes: number) => string;
}

export function burning(
  { factor, long, short, countedMinutes }: BurnRate,
  { ratio, allowed, bad }: Budget,
): string {
  const limit = `${factor} * ${allowed}`;
  return `${series(ratio(long))} > ${limit}
and ${series(ratio(short))} > ${limit}
and ${bad(countedMinutes)} >= ${minBadRequests}`;
}
