/** The series of the chosen release: `series('up', 'component="query"')`. */
export function series(name: string, ...matchers: string[]): string {
  return `${name}{${['namespace="$namespace"', 'release="$release"', ...matchers].join(', ')}}`;
}

/** Increase of a counter per second. */
export function rate(counter: string, ...matchers: string[]): string {
  return `rate(${series(counter, ...matchers)}[$__rate_interval])`;
}

/** Increase of a counter per second, summed by these labels. */
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
