import { ExactSum, Summary } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { shareOf } from './device-share.ts';
import { evaluate } from './functions.ts';
import { Progress } from './progress.ts';
import type { Budget } from '@engawa/http';
import type { CounterRules } from '@engawa/model';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { DeviceShare } from './device-share.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { FunctionName, FunctionValue } from './functions.ts';
import type { Increases } from './increases.ts';

/** When a device's readings count: while it was in the room that is asked about, say. */
export interface Period extends TimeRange {
  device: string;
}

export interface AggregateQuestion {
  periods: readonly Period[];
  /** Epoch milliseconds, ascending: where buckets begin and end. */
  edges: readonly number[];
  /** Epoch milliseconds: where the whole range begins, of which these buckets may be a later page. */
  from: number;
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
  /** Whether it may lack readings that have expired. */
  isIncomplete: boolean;
}

/** Devices that are worked on at a time. */
const devicesAtOnce = 8;

/**
 * The buckets from the first on, fewer than asked for where the budget is spent before they are known. None where not even the
 * first is known but rollups for it were made: the same question gets further then.
 */
export async function aggregate(
  source: DeviceSummaries,
  question: AggregateQuestion,
): Promise<AggregateBucket[]> {
  const progress = new Progress(true);
  const buckets = await attempt(source, question, progress);
  const isDone = buckets.length > 0 || question.edges.length < 2 || progress.kept > 0;
  return isDone ? buckets : attempt(source, question, new Progress(false));
}

async function attempt(
  source: DeviceSummaries,
  question: AggregateQuestion,
  progress: Progress,
): Promise<AggregateBucket[]> {
  const { periods, edges } = question;
  const shares = await inTurns(periods, devicesAtOnce, (period) =>
    shareOf(source, { ...question, progress, period }),
  );
  const known = Math.min(edges.length - 1, ...shares.map((one) => one.known));
  return Array.from({ length: Math.max(0, known) }, (_, index) =>
    bucketOf(
      question,
      index,
      shares.filter(({ first }) => first <= index),
    ),
  );
}

function bucketOf(
  { edges, functions, fields }: AggregateQuestion,
  index: number,
  shares: readonly DeviceShare[],
): AggregateBucket {
  const summary = merged(shares.map(({ summaries, first }) => summaries[index - first]));
  const increases = shares.flatMap(({ increases, first }) => increases[index - first] ?? []);
  const names = [...summary.fields.keys()].filter((name) => fields?.has(name) ?? true).sort();
  return {
    from: edges[index] ?? 0,
    to: edges[index + 1] ?? 0,
    fields: Object.fromEntries(
      names.flatMap((name) => {
        const field = summary.fields.get(name);
        if (field === undefined) return [];
        return [[name, evaluate(functions, { field, increase: total(increases, name) })] as const];
      }),
    ),
    isIncomplete:
      summary.expiredUntil > -Infinity || increases.some(({ isUncertain }) => isUncertain),
  };
}

/** The usual question is of one device, whose summary is the answer as it is. */
function merged(parts: readonly (Summary | undefined)[]): Summary {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.merge(part);
  return summary;
}

/** Over all devices that have the field; null where one of them is no counter. */
function total(increases: readonly Increases[], name: string): FunctionValue {
  const sum = new ExactSum();
  for (const { byField } of increases) {
    if (!byField.has(name)) continue;
    const increase = byField.get(name);
    if (increase === undefined) return null;
    sum.addSum(increase);
  }
  return sum.value;
}
