import { invariant } from '@engawa/errors';
import { keyNamings } from '../keys/key-naming.ts';
import { defaultPartitionLimits, throttlingScopes } from '../keys/partition.ts';
import { windowSeconds } from '../counting/time-window.ts';
import { compareTexts, hottestFirst, mostFrequentFirst } from './hotness-order.ts';
import type {
  HeatReport,
  ReportedAdvice,
  ReportedPartition,
  ReportedThrottling,
} from './report.ts';

/** Maximum sentences of advice per key; processes normally give the same ones. */
const maxAdvice = 32;

/** Maximum number of throttling reasons in a report; DynamoDB has sixteen. */
const maxThrottlings = 1000;

/**
 * Merges the reports of several processes: rates of the same key add up, since the processes share
 * its limit. The order of the reports does not matter; a single report stays unchanged except for
 * the number of keys.
 *
 * Hidden keys cannot be told apart: the hottest of each family are merged, the second hottest, and
 * so on, and `uncertainty` bounds the error.
 */
export function mergeReports(reports: readonly HeatReport[], limit: number): HeatReport {
  const limits = {
    read: least(reports.map(({ limits }) => limits.read)) ?? defaultPartitionLimits.read,
    write: least(reports.map(({ limits }) => limits.write)) ?? defaultPartitionLimits.write,
  };
  // All processes should have the same configuration; otherwise the naming that reveals least applies.
  const keys = keyNamings.findLast((naming) => reports.some((report) => report.keys === naming));
  const groups = groupedBy(
    reports.flatMap(({ partitions }) => ranked(partitions)),
    ({ one, rank }) => [one.index, one.unit, one.partition, rank],
  );
  return {
    windowSeconds: Math.max(0, ...reports.map((report) => report.windowSeconds)) || windowSeconds,
    limits,
    keys: keys ?? 'shown',
    partitions: groups
      .map((same) => mergePartition(same, limits, keys === 'hidden'))
      .sort(hottestFirst)
      .slice(0, limit),
    throttling: mergeThrottling(reports.flatMap(({ throttling }) => throttling)),
  };
}

function mergePartition(
  same: Group<{ one: ReportedPartition }>,
  limits: HeatReport['limits'],
  hidden: boolean,
): ReportedPartition {
  const { index, unit, partition } = same[0].one;
  const parts = same
    .map(({ one }) => one)
    .sort((left, right) => hottestFirst(left, right) || byContent(left, right));
  const unitsPerSecond = sum(parts.map((part) => part.unitsPerSecond));
  const family = parts.find((part) => part.family !== undefined)?.family;
  const kind = parts.flatMap((part) => part.kind ?? []).sort(compareTexts)[0];
  const shards = parts.flatMap((part) => part.shards ?? []);
  const hotSince = parts.flatMap((part) => part.hotSince ?? []).sort(compareTexts)[0];
  return {
    index,
    unit,
    partition,
    ...(kind !== undefined && { kind }),
    ...(family !== undefined && { family }),
    ...(shards.length > 0 && { shards: Math.max(...shards) }),
    unitsPerSecond,
    uncertainty:
      hidden && parts.length > 1
        ? unitsPerSecond - Math.max(...parts.map((part) => part.unitsPerSecond - part.uncertainty))
        : sum(parts.map((part) => part.uncertainty)),
    utilization: unitsPerSecond / limits[unit],
    throttlesPerSecond: addThrottles(parts),
    ...(hotSince !== undefined && { hotSince }),
    ...mergeAdvice(parts),
  };
}

/** Each text once, with the code that any of the processes reports for it. */
function mergeAdvice(
  parts: readonly ReportedPartition[],
): Pick<ReportedPartition, 'advice' | 'adviceCodes'> {
  const codes = new Map<string, ReportedAdvice | null>();
  for (const { advice, adviceCodes = [] } of parts) {
    for (const [at, text] of advice.entries()) {
      codes.set(text, codes.get(text) ?? adviceCodes[at] ?? null);
    }
  }
  const merged = [...codes].slice(0, maxAdvice);
  const hasCodes = parts.some(({ adviceCodes }) => adviceCodes !== undefined);
  return {
    advice: merged.map(([text]) => text),
    ...(hasCodes && { adviceCodes: merged.map(([, code]) => code) }),
  };
}

function addThrottles(
  parts: readonly ReportedPartition[],
): ReportedPartition['throttlesPerSecond'] {
  const sums: ReportedPartition['throttlesPerSecond'] = {};
  for (const scope of throttlingScopes) {
    const rates = parts.flatMap(({ throttlesPerSecond }) => throttlesPerSecond[scope] ?? []);
    if (rates.length > 0) sums[scope] = sum(rates);
  }
  return sums;
}

function mergeThrottling(all: readonly ReportedThrottling[]): ReportedThrottling[] {
  return groupedBy(all, ({ index, unit, scope, reason }) => [index, unit, scope, reason])
    .map((same) => {
      const { index, unit, scope, reason } = same[0];
      const perSecond = sum(same.map((one) => one.perSecond));
      const [first] = same.map((one) => one.advice).sort(compareTexts);
      const advice = invariant(first, 'a group has at least one member');
      const [adviceCode] = same
        .flatMap((one) => (one.advice === advice ? (one.adviceCode ?? []) : []))
        .sort(byContent);
      return { index, unit, scope, reason, perSecond, advice, ...(adviceCode && { adviceCode }) };
    })
    .sort(mostFrequentFirst)
    .slice(0, maxThrottlings);
}

/** Adds to each key its rank among keys of the same name: hidden keys have the names of their families. */
function ranked(partitions: readonly ReportedPartition[]) {
  return groupedBy(partitions, ({ index, unit, partition }) => [index, unit, partition]).flatMap(
    (same) => same.map((one, rank) => ({ one, rank })),
  );
}

function groupedBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => readonly (string | number)[],
): Group<Item>[] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(nameOf(item)));
  return [...groups.values()] as Group<Item>[];
}

/** Never empty. */
type Group<Item> = [Item, ...Item[]];

/** In ascending order, since floating-point sums depend on the order. */
function sum(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right).reduce((total, one) => total + one, 0);
}

function least(figures: readonly number[]): number | undefined {
  return figures.length === 0 ? undefined : Math.min(...figures);
}

function byContent(left: unknown, right: unknown): number {
  return compareTexts(JSON.stringify(left), JSON.stringify(right));
}
