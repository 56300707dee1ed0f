/** A bucket of the sparklines: hours, and in the first hours of the day ten minutes. */
export interface Today {
  /** Midnight in the viewer's time zone, in epoch milliseconds. */
  from: number;
  /** The end of the bucket that is now, in epoch milliseconds. */
  to: number;
  every: 'PT1H' | 'PT10M';
  everyMs: number;
  /** Buckets of the whole day: 24 hours, or 23 or 25 where the clocks change. */
  slots: number;
}

const minuteMs = 60_000;
/** Until then, hours are too few points for a line. Hourly sums are stored, and cheaper to read again. In hours. */
const fineUntil = 4;

/** The viewer's day, as sparklines show it. @param now epoch milliseconds */
export function todayAt(now: number): Today {
  const from = new Date(now).setHours(0, 0, 0, 0);
  const next = new Date(from);
  next.setDate(next.getDate() + 1);
  const isFine = now - from < fineUntil * 60 * minuteMs;
  const everyMs = (isFine ? 10 : 60) * minuteMs;
  const to = from + (Math.floor((now - from) / everyMs) + 1) * everyMs;
  const slots = Math.round((next.getTime() - from) / everyMs);
  return { from, to, every: isFine ? 'PT10M' : 'PT1H', everyMs, slots };
}
