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

function sumBy(labels: string): string {
  return labels === '' ? 'sum' : `sum by (${labels})`;
}
