/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no values have no median');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no values have no mean');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The slope of `y` over `x` by least squares; 0 if all `x` are equal. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const meanX = mean(points.map(({ x }) => x));
  const meanY = mean(points.map(({ y }) => y));
  const squares = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  const products = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  return squares === 0 ? 0 : products / squares;
}

/** `41.2 (40.8–43.0)`: the median with minimum and maximum. */
export function spread(values: readonly number[], digits: number): string {
  const middle = median(values).toFixed(digits);
  if (values.length === 1) return middle;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${middle} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
}

/** The value that this part (0 to 1) of the others does not exceed: 0.99 for the 99th percentile. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  if (value === undefined) throw new RangeError('no values have no quantile');
  return value;
}

/** `1`, or `1–2`: a count, or its minimum and maximum. */
export function leastToMost(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? String(least) : `${least}–${most}`;
}
