import { series } from '../../series.ts';
import { growth } from '../growth.ts';
import type { RecordingRule } from '../rule.ts';

/** Share of requests that may be answered with 5xx, over 30 days. */
export const allowedErrors = 0.001;

const requests = 'component:http_server_requests';
const errors = 'component:http_server_errors';
export const errorBudgetLeft = 'component:http_server_error_budget:left30d';

/**
 * Matches requests that failed. Not 501: what the DynamoDB API in use has not got (docs/deploy.md, Alternator) never worked, so
 * nothing has broken.
 */
export const failed = ['status=~"5.."', 'status!="501"'];

/** Name of the share of failed requests over a window. */
export function errorRatio(window: string): string {
  return `${errors}:ratio_rate${window}`;
}

/** The last five minutes of each component, from which all longer windows are made. */
export const requestRules: RecordingRule[] = [
  {
    record: `${requests}:rate5m`,
    expr: overFiveMinutes(),
  },
  {
    record: `${errors}:rate5m`,
    expr: `${overFiveMinutes(...failed)}
or 0 * ${series(`${requests}:rate5m`)}`,
  },
  ratioRule('5m', (rate) => series(`${rate}:rate5m`)),
  ...['30m', '1h'].map(ratioOfAverages),
];

/** What changes slowly, and is asked less often. */
export const budgetRules: RecordingRule[] = [
  ...['6h', '3d'].map(ratioOfAverages),
  ...[requests, errors].map((rate) => ({
    record: `${rate}:rate1h`,
    expr: `avg_over_time(${series(`${rate}:rate5m`)}[1h])`,
  })),
  // An hour at a time: a look at each of 170,000 samples would cost more than all other rules together.
  ratioRule('30d', (rate) => `avg_over_time(${series(`${rate}:rate1h`)}[30d:1h])`),
  {
    // Of the hour, where there is no whole one yet.
    record: errorBudgetLeft,
    expr: `1 - (${series(errorRatio('30d'))} or ${series(errorRatio('1h'))}) / ${allowedErrors}`,
  },
];

/**
 * Requests a second. Not their `rate()`: an outage that begins and ends between two scrapes is a series that begins with all of
 * its failures, and never grows.
 */
function overFiveMinutes(...matchers: string[]): string {
  return `${requestGrowth(5, ...matchers)} / 300`;
}

/** By how many requests each component has answered more. */
export function requestGrowth(minutes: number, ...matchers: string[]): string {
  const metric = 'http_server_request_duration_seconds_count';
  return growth({ metric, matchers, by: ['component'], minutes });
}

/**
 * Averages of rates weigh by traffic, outlive pods, and cost a few series instead of every route's. Idle times have no
 * ratio rather than 0/0.
 */
function ratioOfAverages(window: string): RecordingRule {
  return ratioRule(window, (rate) => `avg_over_time(${series(`${rate}:rate5m`)}[${window}])`);
}

function ratioRule(window: string, over: (rate: string) => string): RecordingRule {
  return { record: errorRatio(window), expr: `${over(errors)}\n/ (${over(requests)} > 0)` };
}
