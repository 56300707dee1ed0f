import { ExactSum, Summary } from '@engawa/model';
import pMap from 'p-map';
import { bucketRange } from './bucket-range.ts';
import { sharesOf } from './device-share.ts';
import { evaluate, isPercentile, meanOf } from './functions.ts';
import { PageProgress } from './page-progress.ts';
import { stateSharesOf, statesIn, statesOfBucket, weightOf } from './states/bucket-states.ts';
import type { ResponseWork } from '@engawa/http';
import type { HeldValues } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { AggregateRequest, AggregateSource, PeriodGroup } from './aggregate-request.ts';
import type { DeviceShare } from './device-share.ts';
import type { FunctionName, FunctionValue } from './functions.ts';
import type { HeldFields } from './held-values.ts';
import type { Increases } from './increases.ts';
import type { FieldStates } from './states/field-states.ts';
import type { StateShare } from './states/state-shares.ts';

export interface AggregateBucket extends TimeRange {
  /** The name of its group. */
  group: string | undefined;
  /** Only fields that were reported, and those of which a value lasts in it: with the time-weighted mean alone. */
  fields: Record<string, Partial<Record<FunctionName, FunctionValue>>>;
  /** Fields with a reading in it. */
  reported: ReadonlySet<string>;
  /**
   * Fields without a time-weighted mean: the mean of the last values of the devices. Empty where it was not requested.
   */
  kept: ReadonlyMap<string, FunctionValue>;
  /**
   * Sorted: requested fields with values, none of which is a number. Without requested fields, all such fields of a
   * bucket without any number: a list of every text field in each bucket would be longer than the numbers.
   */
  withoutNumbers: readonly string[];
  /** Fields with a known state in it, by name; undefined where states were not requested. */
  states: ReadonlyMap<string, FieldStates> | undefined;
  /** Whether readings of it may have expired. */
  isIncomplete: boolean;
}

/** Devices that are aggregated concurrently. */
const maxConcurrentDevices = 8;

/**
 * The buckets from the first on, group by group; fewer than requested where the budget is spent.
 * Empty where the first bucket is not complete, but rollups for it were stored: the same request
 * then gets further.
 */
export async function aggregate(
  source: AggregateSource,
  request: AggregateRequest,
): Promise<AggregateBucket[]> {
  const progress = new PageProgress(true);
  const buckets = await attempt(source, request, progress);
  const isEmpty = request.edges.length < 2 || request.groups.length === 0;
  const isDone = buckets.length > 0 || isEmpty || progress.kept > 0;
  return isDone ? buckets : attempt(source, request, new PageProgress(false));
}

async function attempt(
  source: AggregateSource,
  request: AggregateRequest,
  progress: PageProgress,
): Promise<AggregateBucket[]> {
  const { groups, edges } = request;
  const devices = groups.flatMap((group) =>
    [...Map.groupBy(group.periods, ({ device }) => device)].map(([device, periods]) => {
      return { group, device, periods };
    }),
  );
  const maxValues = maxValuesOfDevice(request, devices.length);
  const ofPage = { firstBucket: request.budget.renew(), isOnly: devices.length === 1 };
  const found = await pMap(
    devices,
    async ({ group, device, periods }): Promise<GroupShares> => {
      const ofDevice = { ...request, ...ofPage, progress, device, periods, maxValues };
      const shares = request.functions.length === 0 ? [] : await sharesOf(source, ofDevice);
      return { group, shares, states: await stateSharesOf(source, ofDevice) };
    },
    { concurrency: maxConcurrentDevices },
  );
  const all = found.flatMap(({ shares, states }) => [...shares, ...states]);
  const known = all.reduce((least, share) => Math.min(least, share.known), edges.length - 1);
  return request.work.run(bucketsOf(request, found, known));
}

/**
 * A summary of a field in memory takes as much of it as several values of a response; all fields of a device are in
 * memory. At most 12,500 of some 800 bytes each, or half of them with sketches for percentiles, of as many bytes more.
 */
const weightInMemory = 4;
const weightWithSketch = 8;

/**
 * How many values of fields a device may have in its buckets, so that all devices together are within the limit of the
 * page, in memory and in the response. Each has the same share, since a page ends with the slowest one.
 */
function maxValuesOfDevice({ budget, functions, groups }: AggregateRequest, devices: number) {
  const { maxValues } = budget;
  const weight = functions.some(isPercentile) ? weightWithSketch : weightInMemory;
  return Math.min(maxValues / (functions.length * groups.length), maxValues / (weight * devices));
}

/** What one device contributes to its group. */
interface GroupShares {
  group: PeriodGroup;
  shares: readonly DeviceShare[];
  states: readonly StateShare[];
}

/** The first complete buckets, as many as a page may have values. */
function* bucketsOf(
  request: AggregateRequest,
  found: readonly GroupShares[],
  known: number,
): ResponseWork<AggregateBucket[]> {
  const { groups, functions, budget, skipped, limit } = request;
  const byGroup = Map.groupBy(found, ({ group }) => group);
  const buckets: AggregateBucket[] = [];
  let values = 0;
  for (let index = 0; index < known; index++) {
    for (const group of groups) {
      if (buckets.length >= skipped + limit || values >= budget.maxValues) return buckets;
      const own = byGroup.get(group) ?? [];
      const bucket = bucketOf({ ...request, group: group.name }, index, own);
      const cost = Object.keys(bucket.fields).length * functions.length + weightOf(bucket.states);
      if (buckets.push(bucket) > skipped) values += cost;
      yield cost + 1;
    }
  }
  return buckets;
}

function bucketOf(
  request: AggregateRequest & Pick<AggregateBucket, 'group'>,
  index: number,
  own: readonly GroupShares[],
): AggregateBucket {
  const { edges, functions, fields, rateUnit } = request;
  const { from, to } = bucketRange(edges, index);
  const shares = own.flatMap(({ shares }) => shares.filter(({ first }) => first <= index));
  const states = own.flatMap(({ states }) => states.flatMap((share) => statesIn(share, index)));
  const summary = merged(shares.map(({ summaries, first }) => summaries[index - first]));
  const increases = shares.flatMap(({ increases, first }) => increases[index - first] ?? []);
  const held = shares.flatMap(({ held, first }) => held[index - first] ?? []);
  const bucket: AggregateBucket['fields'] = {};
  const reported = new Set(summary.fields.keys());
  addSeen(request, summary);
  const names = new Set([...reported, ...held.flatMap(({ byField }) => [...byField.keys()])]);
  for (const name of [...names].sort()) {
    if (fields?.has(name) === false) continue;
    bucket[name] = evaluate(functions, {
      field: summary.fields.get(name),
      increase: increases.length === 0 ? undefined : totalIncrease(increases, name),
      held: totalHeld(
        held.map(({ byField }) => byField),
        name,
      ),
      lengthMs: to - from,
      rateUnit,
    });
  }
  return {
    group: request.group,
    from,
    to,
    fields: bucket,
    reported,
    kept: keptValues(held),
    states: statesOfBucket(request, states),
    withoutNumbers:
      fields === undefined && summary.fields.size > 0
        ? []
        : summary.withoutNumbers.filter((name) => fields?.has(name) !== false),
    isIncomplete:
      summary.expiredUntil > -Infinity ||
      [...increases, ...held, ...states].some(({ isUncertain }) => isUncertain),
  };
}

/** Of all fields where some are requested, otherwise whether there are any. */
function addSeen({ fields, seen }: AggregateRequest, summary: Summary): void {
  if (fields === undefined && seen.size > 0) return;
  for (const name of summary.fields.keys()) seen.add(name);
  for (const name of summary.nonNumeric) seen.add(name);
}

/** A single summary, the usual case, is returned unchanged. */
function merged(parts: readonly (Summary | undefined)[]): Summary {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const summary = new Summary();
  for (const part of parts) if (part !== undefined) summary.merge(part);
  return summary;
}

/** The sum over all devices that report the field; undefined where one of them is not a counter. */
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

/** The sum of how long values lasted; undefined where one device does not know. */
function totalHeld(
  all: readonly ReadonlyMap<string, HeldValues | undefined>[],
  name: string,
): HeldValues | undefined {
  const total = { area: new ExactSum(), heldMs: 0 };
  for (const byField of all) {
    if (!byField.has(name)) continue;
    const ofDevice = byField.get(name);
    if (ofDevice === undefined) return undefined;
    total.area.addSum(ofDevice.area);
    total.heldMs += ofDevice.heldMs;
  }
  return total;
}

function keptValues(held: readonly HeldFields[]): Map<string, FunctionValue> {
  const all = held.map(({ kept }) => kept);
  const names = new Set(all.flatMap((kept) => [...kept.keys()]));
  return new Map([...names].map((name) => [name, meanOf(totalHeld(all, name))]));
}
