/** The series of the release that is looked at: `series('up', 'component="query"')`. */
export function series(name: string, ...matchers: string[]): string {
  return `${name}{${['namespace="$namespace"', 'release="$release"', ...matchers].join(', ')}}`;
}

/** How much a counter goes up in a second. */
export function rate(counter: string, ...matchers: string[]): string {
  return `rate(${series(counter, ...matchers)}[$__rate_interval])`;
}

/** How much a counter goes up in a second, added up over all but these labels. */
export function rateBy(labels: string, counter: string, ...matchers: string[]): string {
  return `${sumBy(labels)} (${rate(counter, ...matchers)})`;
}

/** A quantile of a histogram, of all processes together; `by` is a list of labels, or empty. */
export function quantile(share: number, by: string, name: string, ...matchers: string[]): string {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${share}, ${rateBy(labels, `${name}_bucket`, ...matchers)})`;
}

/**
 * One sum over another by labels that both have. The first is 0 where only the second is there: a counter with labels is
 * absent until it has counted something, and no errors are not no answer.
 */
export function ratioBy(labels: string, part: string, whole: string): string {
  const all = `${sumBy(labels)} (${whole})`;
  return `(${sumBy(labels)} (${part}) or 0 * ${all}) / ${all}`;
}

function sumBy(labels: string): string {
  return labels === '' ? 'sum' : `sum by (${labels})`;
}
