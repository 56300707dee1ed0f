import { series } from '../series.ts';

export interface Growth {
  metric: string;
  matchers?: string[];
  by: string[];
  minutes: number;
}

/**
 * The increase of a counter with labels. `increase()` alone misses the first event of each series:
 * the series begins at its current value, and nothing shows that it was 0 before. A new series
 * therefore counts in full if Prometheus would have seen it earlier: its process was scraped at
 * that time, or has started since. Otherwise a Prometheus that was down would count all old events
 * as new.
 */
export function growth({ metric, matchers = [], by, minutes }: Growth): string {
  const counter = series(metric, ...matchers);
  const started = series('process_start_time_seconds');
  return `sum by (${['namespace', 'release', ...by].join(', ')}) (
  (
    ${counter} unless ${counter} offset ${minutes}m
    and on (namespace, release, pod) (
      ${series('up')} offset ${minutes}m == 1
      or ${started} > time() - ${minutes * 60}
    )
  )
  or increase(${counter}[${minutes}m])
)`;
}

/** Indents an operand on lines of its own. */
export function indent(expression: string): string {
  return expression.replaceAll(/^/gm, '  ');
}
