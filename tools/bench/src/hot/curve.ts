import { quantile } from '../statistics.ts';

/** One second of a run. */
export interface Second {
  /** Since the load became hot; negative before. */
  second: number;
  /** Hot items in this second: offered, stored and throttled. */
  offered: number;
  stored: number;
  throttled: number;
  /** From the service's metrics. */
  shards: number;
  /** Milliseconds from publishing to durable of other devices' readings. */
  others: readonly number[];
}

/** Characters of a bar that stand for the whole offered load. */
const width = 40;

/** One line per second with a bar of the stored share. */
export function renderCurve(title: string, curve: readonly Second[]): string {
  const lines = curve.map(({ second, offered, stored, throttled, shards, others }) => {
    const share = offered === 0 ? 0 : Math.min(1.5, stored / offered);
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    const latency = (part: number): string =>
      others.length === 0 ? '' : String(Math.round(quantile(others, part)));
    const cells = [second, offered, stored, throttled, shards, latency(0.5), latency(0.99)];
    return `${cells.map((cell) => String(cell).padStart(8)).join('')}  ${offered === 0 ? '' : bar}`;
  });
  const heads = ['second', 'offered', 'stored', 'thrott-', 'shards', 'others', 'others'];
  const units = ['', '/s', '/s', 'led /s', '', 'p50 ms', 'p99 ms'];
  const heading = [heads, units].map((row) => row.map((cell) => cell.padStart(8)).join(''));
  return [`**${title}**`, ['```text', ...heading, ...lines, '```'].join('\n')].join('\n\n');
}

/** A number of items at a time in epoch milliseconds. */
export interface Event {
  at: number;
  count: number;
}

/** The load counts as fully stored if this share of it is stored over this many milliseconds. */
const full = 0.95;
const spanMs = 5000;
/** Milliseconds. */
const stepMs = 100;

/**
 * When the full rate began to be stored: the start of the first five seconds in which at least 95 % of it was stored.
 * @param rate offered per second
 * @returns undefined if it did not recover in time
 */
export function recoveredAt(
  events: readonly Event[],
  { rate, from, to }: { rate: number; from: number; to: number },
): number | undefined {
  const wanted = (full * rate * spanMs) / 1000;
  for (let at = from; at + spanMs <= to; at += stepMs) {
    if (countBetween(events, at, at + spanMs) >= wanted) return at;
  }
  return undefined;
}

export function countBetween(events: readonly Event[], from: number, to: number): number {
  return events
    .filter(({ at }) => at >= from && at < to)
    .reduce((sum, { count }) => sum + count, 0);
}
