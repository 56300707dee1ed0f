/** A point of a sparkline; null where there is no value. */
export type SparkPoint = number | null;

const width = 96;
const height = 24;
/** Space for half of the line's width, in pixels. */
const margin = 2;

/** A line of a day's values, without axes. @param label for screen readers */
export function Sparkline({ points, label }: { points: readonly SparkPoint[]; label: string }) {
  const path = pathOf(points);
  if (path === '') return <span class="sparkline" />;
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}

/** An SVG path; a missing value interrupts the line. */
export function pathOf(points: readonly SparkPoint[]): string {
  const values = points.filter((value) => value !== null);
  if (values.length < 2) return '';
  const low = Math.min(...values);
  const range = Math.max(...values) - low;
  const x = (index: number): number =>
    margin + (index / (points.length - 1)) * (width - 2 * margin);
  const y = (value: number): number =>
    range === 0 ? height / 2 : height - margin - ((value - low) / range) * (height - 2 * margin);
  let path = '';
  let isDown = false;
  points.forEach((value, index) => {
    if (value !== null)
      path += `${isDown ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    isDown = value !== null;
  });
  return path;
}
