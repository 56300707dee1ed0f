import { ExactSum, Summary } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { evaluate } from './functions.ts';
import { oneDay } from './pieces.ts';
import type { Budget } from '@engawa/http';
import type { CounterRules, ExactNumber } from '@engawa/model';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { FunctionName, FunctionValue } from './functions.ts';

/** When a device's readings count: while it was in the room that is asked about, say. */
export interface Period extends TimeRange {
  device: string;
}

export interface AggregateQuestion {
  periods: readonly Period[];
  /** Epoch milliseconds, ascending: where buckets begin and end. */
  edges: readonly number[];
  functions: readonly FunctionName[];
  /** All numeric ones where it is not given. */
  fields?: ReadonlySet<string> | undefined;
  counter: CounterRules;
  budget: Budget;
  signal: AbortSignal;
  log: Logger;
}

export interface AggregateBucket extends TimeRange {
  /** Without the fields that nothing was reported for. */
  fields: Record<string, Partial<Record<FunctionName, FunctionValue>>>;
}

/** What a period adds to the buckets from the `first` on. */
interface Share {
  first: number;
  summaries: Summary[];
  /** By bucket and field; undefined where it fell too often to be a counter. */
  increases: Map<string, ExactSum | undefined>[];
  /** Buckets that are known, counted from the first of the question. */
  known: number;
}

/** Devices that are worked on at a time. */
const devicesAtOnce = 8;

/**
 * How far before the first bucket the last value of a counter is looked for, so that what it rose by since then counts: the
 * days of a week then add up to the week.
 */
export const lookback = oneDay;

/** The buckets from the first on, fewer than asked for where the budget is spent before they are known. */
export async function aggregate(
  source: DeviceSummaries,
  question: AggregateQuestion,
): Promise<AggregateBucket[]> {
  const { periods, edges, functions, fields } = question;
  const shares = await inTurns(periods, devicesAtOnce, (period) => share(source, question, period));
  const known = Math.min(edges.length - 1, ...shares.map((one) => one.known));
  return Array.from({ length: Math.max(0, known) }, (_, index) => {
    const here = shares.filter(({ first }) => first <= index);
    const summary = merged(here.map(({ summaries, first }) => summaries[index - first]));
    const names = [...summary.fields.keys()].filter((name) => fields?.has(name) ?? true).sort();
    const increaseOf = (name: string) =>
      total(
        here.map(({ increases, first }) => increases[index - first] ?? noIncreases),
        name,
      );
    return {
      from: edges[index] ?? 0,
      to: edges[index + 1] ?? 0,
      fields: Object.fromEntries(
        names.flatMap((name) => {
          const field = summary.fields.get(name);
          if (field === undefined) return [];
          return [[name, evaluate(functions, { field, increase: increaseOf(name) })] as const];
        }),
      ),
    };
  });
}

/** The usual question is of one device, whose summary is the answer as it is. */
function merged(parts: readonly (Summary | undefined)[]): Summary {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.merge(part);
  return summary;
}

const noIncreases = new Map<string, ExactSum | undefined>();

async function share(
  source: DeviceSummaries,
  question: AggregateQuestion,
  period: Period,
): Promise<Share> {
  const { edges, functions, counter, budget, signal, log } = question;
  const { device } = period;
  const own = clip(edges, period);
  const [start] = own;
  if (start === undefined)
    return { first: edges.length, summaries: [], increases: [], known: edges.length - 1 };
  const first = edges.findLastIndex((edge) => edge <= start);
  const asks = { device, budget, signal, log, atLeastUntil: edges[1] ?? start };
  if (!functions.includes('increase')) {
    const summaries = await source.of({ ...asks, edges: own });
    return { first, summaries, increases: [], known: knownBuckets(first, summaries, own, edges) };
  }
  const before = Math.max(period.from, start - lookback);
  const hasBefore = before < start;
  const all = await source.of({ ...asks, edges: hasBefore ? [before, ...own] : own });
  const increases = increasesOf(all, counter);
  const summaries = hasBefore ? all.slice(1) : all;
  return {
    first,
    summaries,
    increases: hasBefore ? increases.slice(1) : increases,
    known: knownBuckets(first, summaries, own, edges),
  };
}

/** The edges within a period, and its own ends where these are within them; none where they do not meet. */
function clip(edges: readonly number[], { from, to }: TimeRange): number[] {
  const start = Math.max(from, edges[0] ?? Infinity);
  const end = Math.min(to, edges.at(-1) ?? -Infinity);
  if (start >= end) return [];
  return [start, ...edges.filter((edge) => edge > start && edge < end), end];
}

/** A period that ends early knows that nothing comes behind it. */
function knownBuckets(
  first: number,
  summaries: readonly Summary[],
  own: readonly number[],
  edges: readonly number[],
): number {
  return summaries.length === own.length - 1 ? edges.length - 1 : first + summaries.length;
}

/** By how much each field rose in each bucket, from the last value that was reported before it. */
function increasesOf(
  summaries: readonly Summary[],
  rules: CounterRules,
): Map<string, ExactSum | undefined>[] {
  const last = new Map<string, ExactNumber>();
  return summaries.map(({ fields }) => {
    const increases = new Map<string, ExactSum | undefined>();
    for (const [name, field] of fields) {
      increases.set(name, field.increase(last.get(name), rules));
      last.set(name, field.last.value);
    }
    return increases;
  });
}

/** Over all devices that have the field; null where one of them is no counter. */
function total(
  increases: readonly Map<string, ExactSum | undefined>[],
  name: string,
): FunctionValue {
  const sum = new ExactSum();
  for (const of of increases) {
    if (!of.has(name)) continue;
    const increase = of.get(name);
    if (increase === undefined) return null;
    sum.addSum(increase);
  }
  return sum.value;
}
