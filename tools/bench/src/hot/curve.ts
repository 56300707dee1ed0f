import { quantile } from '../statistics.ts';

/** One second of a run. */
export interface Second {
  /** Since something has become hot; below 0 before. */
  second: number;
  /** Of what is hot: wanted, stored and turned away in this second. */
  offered: number;
  stored: number;
  throttled: number;
  /** Keys that it is spread over, as the service's metrics say. */
  shards: number;
  /** Milliseconds from publishing to durable of what is not hot. */
  others: readonly number[];
}

/** Characters that stand for all that is offered. */
const width = 40;

/** A line a second, and what part of the offered is stored, drawn. */
export function renderCurve(title: string, curve: readonly Second[]): string {
  const lines = curve.map(({ second, offered, stored, throttled, shards, others }) => {
    const share = offered === 0 ? 0 : Math.min(1.5, stored / offered);
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
    const latency = (part: number): string =>
      others.length === 0 ? '' : String(Math.round(quantile(others, part)));
    const cells = [second, offered, stored, throttled, shards, latency(0.5), latency(0.99)];
    return `${cells.map((cell) => String(cell).padStart(8)).join('')}  ${offered === 0 ? '' : bar}`;
  });
  const heads = ['second', 'offered', 'stored', 'turned', 'shards', 'others', 'others'];
  const units = ['', '/s', '/s', 'away/s', '', 'p50 ms', 'p99 ms'];
  const heading = [heads, units].map((row) => row.map((cell) => cell.padStart(8)).join(''));
  return [`**${title}**`, ['```text', ...heading, ...lines, '```'].join('\n')].join('\n\n');
}

/** So many things at a moment, in milliseconds. */
export interface Event {
  at: number;
  count: number;
}

/** What a share of the offered counts as all of it, and over how many milliseconds. */
const full = 0.95;
const span = 5000;
/** Milliseconds between two looks. */
const step = 100;

/**
 * When all that is offered began to be stored: the beginning of the first five seconds in which no less than 95 % of it was.
 * @param rate offered, a second
 * @returns undefined where that was not reached in time
 */
export function recoveredAt(
  events: readonly Event[],
  { rate, from, to }: { rate: number; from: number; to: number },
): number | undefined {
  const wanted = (full * rate * span) / 1000;
  for (let at = from; at + span <= to; at += step) {
    if (countBetween(events, at, at + span) >= wanted) return at;
  }
  return undefined;
}

export function countBetween(events: readonly Event[], from: number, to: number): number {
  return events
    .filter(({ at }) => at >= from && at < to)
    .reduce((sum, { count }) => sum + count, 0);
}
