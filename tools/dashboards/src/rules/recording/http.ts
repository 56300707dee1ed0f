import { series } from '../../series.ts';
import { growth } from '../growth.ts';
import { allowedErrors, targetSeconds } from '../objective.ts';
import type { RecordingRule } from '../rule.ts';

const requests = 'component:http_server_requests';
const errors = 'component:http_server_errors';
const answered = 'component:http_server_answered_requests';
const slow = 'component:http_server_slow_requests';
export const errorBudgetLeft = 'component:http_server_error_budget:left30d';

/** The objective, as a line for panels. */
export const allowedErrorRatio = 'release:http_server_errors:allowed_ratio';

/** Quarters of an hour in the 30 days of the budget. */
const budgetQuarters = 30 * 24 * 4;

/**
 * Matches failed requests. Not 501: the DynamoDB API in use lacks the feature (docs/deploy.md,
 * Alternator), which is no failure.
 */
export const failed = ['status=~"5.."', 'status!="501"'];

/**
 * Matches requests that count for latency: neither failures, which have their own objective, nor
 * cancelled requests.
 */
const waitedFor = ['status!~"5..|499"'];

/** Matches the bucket of the target; Prometheus 3 writes whole bounds with a fraction. */
const inTime = `le=~"${targetSeconds}|${targetSeconds}[.]0"`;

/** Name of the share of failed requests over a window. */
export function errorRatio(window: string): string {
  return `${errors}:ratio_rate${window}`;
}

/** Name of the share of requests over a window that took longer than the target. */
export function slowRatio(window: string): string {
  return `${slow}:ratio_rate${window}`;
}

/** Rates of five minutes by component; all longer windows average them. */
export const requestRules: RecordingRule[] = [
  { record: `${requests}:rate5m`, expr: perSecond(requestGrowth(5)) },
  {
    record: `${errors}:rate5m`,
    expr: `${perSecond(requestGrowth(5, ...failed))}
or 0 * ${series(`${requests}:rate5m`)}`,
  },
  { record: `${answered}:rate5m`, expr: perSecond(requestGrowth(5, ...waitedFor)) },
  {
    record: `${slow}:rate5m`,
    expr: `clamp_min(
  ${series(`${answered}:rate5m`)}
  - (${perSecond(bucketGrowth(5, ...waitedFor, inTime))} or 0 * ${series(`${answered}:rate5m`)}),
  0
)`,
  },
  ...ratioRules('5m', (rate) => series(`${rate}:rate5m`)),
  ...['30m', '1h'].flatMap(ratiosOfAverages),
];

/** Long windows, which are evaluated less often. */
export const budgetRules: RecordingRule[] = [
  ...['2h', '6h', '1d', '3d'].flatMap(ratiosOfAverages),
  ...[requests, errors].map((rate) => ({
    record: `${rate}:rate15m`,
    expr: `avg_over_time(${series(`${rate}:rate5m`)}[15m])`,
  })),
  // One sample per quarter of an hour: reading all 170,000 samples would cost more than all other rules together.
  errorRatioRule('30d', (rate) => `avg_over_time(${series(`${rate}:rate15m`)}[30d:15m])`),
  {
    // Failures weigh by their part of the 30 days: a young release has the same budget as an old one.
    record: errorBudgetLeft,
    expr: `1 - (
  ${series(errorRatio('30d'))}
  * clamp_max(count_over_time(${series(`${requests}:rate15m`)}[30d:15m]) / ${budgetQuarters}, 1)
  or ${series(errorRatio('5m'))} / ${budgetQuarters}
) / ${allowedErrors}`,
  },
  {
    record: allowedErrorRatio,
    expr: `${allowedErrors} + 0 * max by (namespace, release) (${series('up')})`,
  },
];

/**
 * Requests a second. Not their `rate()`: an outage that begins and ends between two scrapes is a
 * series that begins with all of its failures, and never grows.
 */
function perSecond(fiveMinutes: string): string {
  return `${fiveMinutes} / 300`;
}

/** Increase of answered requests, by component. */
export function requestGrowth(minutes: number, ...matchers: string[]): string {
  return growthOf('count', minutes, matchers);
}

function bucketGrowth(minutes: number, ...matchers: string[]): string {
  return growthOf('bucket', minutes, matchers);
}

function growthOf(part: string, minutes: number, matchers: string[]): string {
  const metric = `http_server_request_duration_seconds_${part}`;
  return growth({ metric, matchers, by: ['component'], minutes });
}

/** Requests that took longer than the target, by component. */
export function slowGrowth(minutes: number): string {
  const all = requestGrowth(minutes, ...waitedFor);
  return `${all} - (${bucketGrowth(minutes, ...waitedFor, inTime)} or 0 * ${all})`;
}

/**
 * Averages of rates weigh by traffic, outlive pods, and cost a few series instead of every route's.
 * Without requests there is no ratio (not 0/0).
 */
function ratiosOfAverages(window: string): RecordingRule[] {
  return ratioRules(window, (rate) => `avg_over_time(${series(`${rate}:rate5m`)}[${window}])`);
}

function ratioRules(window: string, over: (rate: string) => string): RecordingRule[] {
  return [
    errorRatioRule(window, over),
    { record: slowRatio(window), expr: `${over(slow)}\n/ (${over(answered)} > 0)` },
  ];
}

function errorRatioRule(window: string, over: (rate: string) => string): RecordingRule {
  return { record: errorRatio(window), expr: `${over(errors)}\n/ (${over(requests)} > 0)` };
}
