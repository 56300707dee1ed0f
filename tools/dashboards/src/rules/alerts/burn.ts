import { series } from '../../series.ts';
import type { Severity } from '../rule.ts';

/** Fewer bad requests than this are an incident of one client, whatever share of little traffic they are. */
const minBadRequests = 10;

export interface Burn {
  /** How many times faster than the budget lasts for. */
  factor: number;
  long: string;
  /** Over which it has to burn as well, so that the alert ends when the burning does. */
  short: string;
  /** Over how many minutes bad requests are counted. */
  countedMinutes: number;
  severity: Severity;
  /** How long the budget of 30 days lasts at this rate. */
  lasts: string;
  /** The long window in words. */
  inWords: string;
}

/** Several windows, several rates: Google's SRE workbook, chapter 5, "Alerting on SLOs"; a day as kubernetes-mixin has it. */
export const burns: readonly Burn[] = [
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
  /** Name of the share of bad requests over a window. */
  ratio: (window: string) => string;
  /** Share of bad requests that is allowed for. */
  allowed: string;
  /** How many bad requests there were. */
  bad: (minutes: number) => string;
}

export function burning(
  { factor, long, short, countedMinutes }: Burn,
  { ratio, allowed, bad }: Budget,
): string {
  const limit = `${factor} * ${allowed}`;
  return `${series(ratio(long))} > ${limit}
and ${series(ratio(short))} > ${limit}
and ${bad(countedMinutes)} >= ${minBadRequests}`;
}
