import { series } from '../series.ts';

export interface Growth {
  metric: string;
  matchers?: string[];
  by: string[];
  minutes: number;
}

/**
 * By how much a counter with labels has grown. `increase()` alone misses the first of each kind: a series begins with the
 * value that it then has, and nothing says that it was 0 before. So one that was not there counts in full, where we know
 * that it would have been seen: its process was scraped then, or has started since. Otherwise a Prometheus that was away
 * would take all that has ever been counted for new.
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

/** For an operand that stands on lines of its own. */
export function indent(expression: string): string {
  return expression.replaceAll(/^/gm, '  ');
}
