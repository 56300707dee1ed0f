/*
 * The service level objective of `monitoring.slo`: placeholders that the chart fills in
 * (charts/engawa/templates/_rule-text.tpl).
 */

/** Allowed ratio of requests with 5xx, over 30 days. */
export const allowedErrors = '$allowed_errors';
/** Allowed ratio of answered requests that take longer than `targetSeconds`. */
export const allowedSlow = '$allowed_slow';
/** A bound of the histogram's buckets. */
export const targetSeconds = '$target_seconds';

/** The chart's default values; for tests, and for Prometheus without the chart. */
export const usualObjective: readonly (readonly [placeholder: string, value: string])[] = [
  [allowedErrors, '0.001'],
  [allowedSlow, '0.01'],
  [targetSeconds, '1'],
];

export function withUsualObjective(text: string): string {
  return usualObjective.reduce((filled, [from, to]) => filled.replaceAll(from, to), text);
}
