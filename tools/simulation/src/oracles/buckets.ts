import type { Series, SeriesReading } from './series.ts';

/** A bucket of aggregates as query returns it. */
export interface BucketResponse {
  from: string;
  to: string;
  fields: Record<string, Record<string, number | null>>;
}

export type Width = 'PT1H' | 'P1D' | 'P1M';

export interface BucketRange {
  /** Epoch milliseconds. */
  from: number;
  to: number;
  every: Width;
  timeZone: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @returns differences of the buckets' begins and ends, a sentence each */
export function violationsOfEdges(
  buckets: readonly BucketResponse[],
  range: BucketRange,
): string[] {
  let expected = range.from;
  const violations: string[] = [];
  for (const { from, to } of buckets) {
    const [begin, end] = [Date.parse(from), Date.parse(to)];
    const isWhole = labelOf(begin, range) === labelOf(end - 1, range);
    const isEnd = end === range.to || labelOf(end, range) !== labelOf(end - 1, range);
    if (begin !== expected || !isWhole || !isEnd)
      violations.push(`unexpected bucket from ${from} to ${to}`);
    expected = end;
  }
  if (expected !== range.to)
    violations.push(`the last bucket ends at ${new Date(expected).toISOString()}`);
  return violations;
}

/** The readings of a device in a time range; without times, all its readings. */
export interface SeriesRange {
  series: Series;
  /** Epoch milliseconds. */
  since?: number;
  until?: number | undefined;
}

/** The aggregates of a bucket by field and function: `count`, `sum`, `min`, `max` and `increase`. */
export function bucketOf(
  parts: readonly SeriesRange[],
  bucket: { from: number; to: number },
): BucketResponse['fields'] {
  const shares = parts.flatMap((part) => sharesOf(part, bucket));
  const byName = Map.groupBy(shares, ({ name }) => name);
  const names = [...byName.keys()].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const own = byName.get(name) ?? [];
      const values = own.flatMap((share) => share.values);
      return [
        name,
        {
          count: values.length,
          increase: own.reduce((sum, { increase }) => sum + increase, 0) / 1000,
          max: Math.max(...values) / 1000,
          min: Math.min(...values) / 1000,
          sum: values.reduce((sum, value) => sum + value, 0) / 1000,
        },
      ];
    }),
  );
}

/** Values of one field, in thousandths. */
interface Share {
  name: string;
  values: readonly number[];
  increase: number;
}

function sharesOf(
  { series, since = -Infinity, until = Infinity }: SeriesRange,
  { from, to }: { from: number; to: number },
): Share[] {
  const counted = series.counted.filter(({ time }) => time >= since && time < until);
  const inside = counted.filter(({ time }) => time >= from && time < to);
  const before = counted.filter(({ time }) => time < from);
  const names = [...new Set(inside.flatMap(({ values }) => Object.keys(values)))];
  return names.map((name) => {
    const own = momentsOf(inside, name);
    const last = momentsOf(before, name).at(-1);
    const increase = increaseOf(series, name, last === undefined ? own : [last, ...own]);
    return { name, values: own.map(({ value }) => value), increase };
  });
}

interface TimedValue {
  time: number;
  /** In thousandths. */
  value: number;
}

function momentsOf(readings: readonly SeriesReading[], name: string): TimedValue[] {
  return readings.flatMap(({ time, values: { [name]: value } }) =>
    value === undefined ? [] : [{ time, value: Math.round(value * 1000) }],
  );
}

/** A counter that decreased was reset to 0. */
function increaseOf(series: Series, name: string, moments: readonly TimedValue[]): number {
  return moments.reduce((sum, { time, value }, index) => {
    const before = moments[index - 1];
    if (before === undefined || series.isReset(name, before.time, time)) return sum;
    return sum + (value < before.value ? value : value - before.value);
  }, 0);
}

/** Minutes past the hour in UTC at which local hours begin, for time zones without whole-hour offsets. */
const hourMinutes: Readonly<Record<string, number>> = { 'America/St_Johns': 30 };

/** Equal for times of the same hour, day or month in a time zone. */
function labelOf(time: number, { every, timeZone }: BucketRange): string {
  if (every === 'PT1H') {
    return String(Math.floor((time - (hourMinutes[timeZone] ?? 0) * 60_000) / 3_600_000));
  }
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone });
  formats.set(timeZone, format);
  const date = format.format(time);
  return every === 'P1D' ? date : date.slice(0, 7);
}
