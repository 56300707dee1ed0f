import { ExactSum, Summary } from '@engawa/model';
import { inTurns } from '../in-turns.ts';
import { shareOf } from './device-share.ts';
import { evaluate, isOfCounter } from './functions.ts';
import { Progress } from './progress.ts';
import type { Budget } from '@engawa/http';
import type { CounterRules, FieldSummary, HeldValues } from '@engawa/model';
import type { Logger } from 'pino';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { DeviceShare } from './device-share.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { FunctionName, FunctionValue, Known, RateUnit } from './functions.ts';
import type { HeldFields } from './held-values.ts';
import type { Increases } from './increases.ts';

/** When a device's readings count: while it was in the room that is asked about, say. */
export interface Period extends TimeRange {
  device: string;
}

/** Periods that have buckets of their own. */
export interface PeriodGroup {
  /** A device or a room; undefined for all, or for those in no room. */
  name: string | undefined;
  periods: readonly Period[];
}

export interface AggregateQuestion {
  groups: readonly PeriodGroup[];
  /** Epoch milliseconds, ascending: where buckets begin and end. */
  edges: readonly number[];
  /** Epoch milliseconds: where the whole range begins, of which these buckets may be a later page. */
  from: number;
  functions: readonly FunctionName[];
  /** All numeric ones where it is not given. */
  fields?: ReadonlySet<string> | undefined;
  counter: CounterRules;
  /** What a rate is per. */
  rateUnit: RateUnit;
  budget: Budget;
  signal: AbortSignal;
  log: Logger;
}

export interface AggregateBucket extends TimeRange {
  /** The name of its group. */
  group: string | undefined;
  /** Without the fields that nothing was reported for. */
  fields: Record<string, Partial<Record<FunctionName, FunctionValue>>>;
  /** Whether it may lack readings that have expired. */
  isIncomplete: boolean;
}

/** Devices that are worked on at a time. */
const devicesAtOnce = 8;

/**
 * The buckets from the first on, for each group in turn, fewer than asked for where the budget is spent before they are known. None where not even the
 * first is known but rollups for it were made: the same question gets further then.
 */
export async function aggregate(
  source: DeviceSummaries,
  question: AggregateQuestion,
): Promise<AggregateBucket[]> {
  const progress = new Progress(true);
  const buckets = await attempt(source, question, progress);
  const isEmpty = question.edges.length < 2 || question.groups.length === 0;
  const isDone = buckets.length > 0 || isEmpty || progress.kept > 0;
  return isDone ? buckets : attempt(source, question, new Progress(false));
}

async function attempt(
  source: DeviceSummaries,
  question: AggregateQuestion,
  progress: Progress,
): Promise<AggregateBucket[]> {
  const { groups, edges } = question;
  const asked = groups.flatMap((group) => group.periods.map((period) => ({ group, period })));
  const shares = await inTurns(asked, devicesAtOnce, async ({ group, period }) => ({
    group,
    share: await shareOf(source, { ...question, progress, period }),
  }));
  const known = Math.min(edges.length - 1, ...shares.map(({ share }) => share.known));
  const byGroup = Map.groupBy(shares, ({ group }) => group);
  return Array.from({ length: Math.max(0, known) }, (_, index) =>
    groups.map((group) => {
      const own = (byGroup.get(group) ?? []).map(({ share }) => share);
      const begun = own.filter(({ first }) => first <= index);
      return bucketOf({ ...question, group: group.name }, index, begun);
    }),
  ).flat();
}

function bucketOf(
  question: AggregateQuestion & Pick<AggregateBucket, 'group'>,
  index: number,
  shares: readonly DeviceShare[],
): AggregateBucket {
  const { edges, functions, fields, rateUnit } = question;
  const [from = 0, to = 0] = [edges[index], edges[index + 1]];
  const summary = merged(shares.map(({ summaries, first }) => summaries[index - first]));
  const increases = shares.flatMap(({ increases, first }) => increases[index - first] ?? []);
  const held = shares.flatMap(({ held, first }) => held[index - first] ?? []);
  const names = [...summary.fields.keys()].filter((name) => fields?.has(name) ?? true).sort();
  const known = (name: string, field: FieldSummary): Known => ({
    field,
    increase: totalIncrease(increases, name),
    held: totalHeld(held, name),
    lengthMs: to - from,
    rateUnit,
  });
  return {
    group: question.group,
    from,
    to,
    fields: Object.fromEntries(
      names.flatMap((name) => {
        const field = summary.fields.get(name);
        return field === undefined
          ? []
          : [[name, evaluate(functions, known(name, field))] as const];
      }),
    ),
    isIncomplete: summary.expiredUntil > -Infinity || isUncertain(question, { increases, held }),
  };
}

function isUncertain(
  { functions }: AggregateQuestion,
  { increases, held }: { increases: readonly Increases[]; held: readonly HeldFields[] },
): boolean {
  return (
    (functions.some(isOfCounter) && increases.some(({ isUncertain }) => isUncertain)) ||
    (functions.includes('timeWeightedMean') && held.some(({ isUncertain }) => isUncertain))
  );
}

/** The usual question is of one device, whose summary is the answer as it is. */
function merged(parts: readonly (Summary | undefined)[]): Summary {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.merge(part);
  return summary;
}

/** Over all devices that have the field; undefined where one of them is no counter. */
function totalIncrease(increases: readonly Increases[], name: string): ExactSum | undefined {
  const sum = new ExactSum();
  for (const { byField } of increases) {
    if (!byField.has(name)) continue;
    const increase = byField.get(name);
    if (increase === undefined) return undefined;
    sum.addSum(increase);
  }
  return sum;
}

/** The same for how long their values held. */
function totalHeld(held: readonly HeldFields[], name: string): HeldValues | undefined {
  const total = { area: new ExactSum(), heldMs: 0 };
  for (const { byField } of held) {
    if (!byField.has(name)) continue;
    const ofDevice = byField.get(name);
    if (ofDevice === undefined) return undefined;
    total.area.addSum(ofDevice.area);
    total.heldMs += ofDevice.heldMs;
  }
  return total;
}
