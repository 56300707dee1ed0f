const minute = 60_000;
const quarter = 15 * minute;
const day = 24 * 60 * minute;

export const zones = [
  'UTC',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
];

/** Milliseconds, roughly where the calendar decides. */
export const widthsMs: Record<string, number> = {
  PT1M: minute,
  PT2M: 2 * minute,
  PT5M: 5 * minute,
  PT10M: 10 * minute,
  PT15M: quarter,
  PT20M: 20 * minute,
  PT30M: 30 * minute,
  PT1H: 60 * minute,
  PT2H: 120 * minute,
  PT3H: 180 * minute,
  PT4H: 240 * minute,
  PT6H: 360 * minute,
  PT8H: 480 * minute,
  PT12H: 720 * minute,
  P1D: day,
  P1W: 7 * day,
  P1M: 30 * day,
  P3M: 90 * day,
  P1Y: 365 * day,
};

/** By time zone and quarter of an hour. */
const offsets = new Map<string, Map<number, number>>();
const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which the clocks there are ahead of UTC; since 1970 they change at full quarters of an hour. */
function offsetAt(time: number, timeZone: string): number {
  const start = Math.floor(time / quarter) * quarter;
  const ofZone = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, ofZone);
  const known = ofZone.get(start);
  if (known !== undefined) return known;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset', hour: 'numeric' });
  formats.set(timeZone, format);
  const name = format.formatToParts(start).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
  ofZone.set(start, offset);
  return offset;
}

/** The number of the bucket that the clocks show, for widths that the calendar decides. */
function numberOf(time: number, every: string, timeZone: string): number {
  const local = time + offsetAt(time, timeZone);
  const date = new Date(local);
  if (every === 'P1Y') return date.getUTCFullYear();
  if (every === 'P1M') return date.getUTCFullYear() * 12 + date.getUTCMonth();
  if (every === 'P3M') return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3);
  // 1970-01-05 was a Monday.
  if (every === 'P1W') return Math.floor((local - 4 * day) / (7 * day));
  return Math.floor(local / (widthsMs[every] ?? day));
}

/** Whether a bucket of up to an hour ends here, by the clocks of before or of behind a change. */
function isFull(time: number, width: number, timeZone: string): boolean {
  return [time - 1, time].some((when) => (time + offsetAt(when, timeZone)) % width === 0);
}

/** Where buckets begin and end, found by looking at every minute, or quarter of an hour. */
export function plainEdges(
  { from, to }: { from: number; to: number },
  every: string,
  timeZone: string,
): number[] {
  if (from >= to) return [];
  const width = widthsMs[every] ?? day;
  const step = width < quarter ? minute : width === 20 * minute ? 5 * minute : quarter;
  const edges = [from];
  // Clocks that are put back show a bucket again that is over: it goes on.
  let number = -Infinity;
  for (let back = from - 12 * quarter; back <= from; back += quarter) {
    number = Math.max(number, numberOf(back, every, timeZone));
  }
  for (let time = (Math.floor(from / step) + 1) * step; time < to; time += step) {
    const next = numberOf(time, every, timeZone);
    if (width <= 60 * minute ? isFull(time, width, timeZone) : next > number) edges.push(time);
    number = Math.max(number, next);
  }
  return [...edges, to];
}

/** The first of the steps of a chart of which a range has no more buckets than that. */
export function plainWidth(
  range: { from: number; to: number },
  timeZone: string,
  maxPoints: number,
): string {
  const steps = Object.keys(widthsMs).filter((name) => !['PT20M', 'PT4H', 'PT8H'].includes(name));
  const isFew = (every: string) => plainEdges(range, every, timeZone).length - 1 <= maxPoints;
  const step = steps.find(isFew);
  if (step === undefined) throw new Error('no step for so few points');
  return step;
}

/** A moment by the clocks there: `2026-03-29T00:00:00.000+00:00`. */
export function plainLocal(time: number, timeZone: string): string {
  const offset = offsetAt(time, timeZone);
  const minutes = Math.abs(offset) / minute;
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  return `${new Date(time + offset).toISOString().slice(0, -1)}${sign}${two(minutes / 60)}:${two(minutes % 60)}`;
}
