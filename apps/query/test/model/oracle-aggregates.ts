import { isNumber, quotient, scaled, spelled } from './exact.ts';
import { plainEdges, plainLocal, widthsMs } from './local-time.ts';
import { plainFill } from './oracle-fill.ts';
import { heldOf, keptOf, longestHold } from './oracle-held.ts';
import { increaseWithin } from './oracle-increase.ts';
import { corrected, wasReset } from './oracle-corrections.ts';
import { groupsOf } from './oracle-readings.ts';
import { allValuesOf, statesIn } from './oracle-states.ts';
import { rateUnits } from './requests.ts';
import type { AggregatesRequest } from './requests.ts';
import type { PlainValue, ResetBetween, BucketRange } from './oracle-increase.ts';
import type { PlainState } from './oracle-states.ts';
import type { BucketContent, PlainBucket } from './plain-bucket.ts';
import type { StoredReading, World } from './world.ts';

/** Values by field of a device while it was there, also before the range. */
interface Series {
  from: number;
  to: number;
  retention: number;
  fields: Map<string, PlainValue[]>;
  values: Map<string, PlainState[]>;
  isReset: (field: string) => ResetBetween;
}

/** What all readings that there ever were come to, whether they have expired or not. */
export function expectedBuckets(
  world: World,
  question: AggregatesRequest,
): PlainBucket[] | undefined {
  const { from, to, every, timeZone } = question;
  const groups = groupsOf(world, question);
  if (groups === undefined) return undefined;
  const all = corrected(world, world.readings, 'counted');
  const series = groups.map(({ name, periods }) => ({
    group: name,
    series: periods
      .filter((period) => period.from < to && period.to > from)
      .map((period) => seriesOf(world, all, period)),
  }));
  const devices = groups.flatMap(({ periods }) => [
    ...new Set(periods.filter((one) => one.from < to && one.to > from).map(({ device }) => device)),
  ]).length;
  const edges = plainEdges({ from, to }, every, timeZone);
  const byGroup = series.map(({ group, series }) => {
    const buckets = edges.slice(1).map((end, index): PlainBucket => {
      const bucket = { from: edges[index] ?? 0, to: end };
      const looked = question.fill === 'none' ? bucket : { from, to };
      const mayBeIncomplete = series.some((one) => mayLack(one, world, question, looked));
      return {
        ...bucket,
        group,
        localFrom: plainLocal(bucket.from, timeZone),
        ...contentOf(question, world.now, bucket, series),
        mayBeIncomplete,
        states: statesIn(question, series, bucket, world.now),
        areStatesKnown: devices === 1 || !mayBeIncomplete,
      };
    });
    const bucketAt = (bucket: BucketRange) => contentOf(question, world.now, bucket, series);
    return plainFill(buckets, question, previousOf(question, series, bucketAt));
  });
  return edges.slice(1).flatMap((_, index) => byGroup.flatMap((buckets) => buckets[index] ?? []));
}

function seriesOf(
  world: World,
  all: readonly StoredReading[],
  period: BucketRange & { device: string },
): Series {
  const { from, to } = period;
  const own = all.filter(
    ({ device, time }) => device === period.device && time >= from && time < to,
  );
  const device = world.devices.find(({ id }) => id === period.device);
  const retention = device?.retention ?? Infinity;
  const isReset = (field: string) => wasReset(world, period.device, field);
  return { from, to, retention, fields: valuesOf(own), values: allValuesOf(own), isReset };
}

function valuesOf(readings: readonly StoredReading[]): Map<string, PlainValue[]> {
  const fields = new Map<string, PlainValue[]>();
  const inOrder = readings.toSorted((left, right) => {
    if (left.time !== right.time) return left.time - right.time;
    return left.rank === right.rank ? 0 : left.rank - right.rank;
  });
  for (const { time, values } of inOrder) {
    for (const [name, text] of Object.entries(values)) {
      if (!isNumber(text)) continue;
      const known = fields.get(name) ?? [];
      fields.set(name, [...known, { time, value: scaled(text) }]);
    }
  }
  return fields;
}

function compare(left: PlainValue, right: PlainValue): number {
  if (left.time !== right.time) return left.time - right.time;
  return left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
}

/** For each field its last bucket with a reading before the range; it ends where the range begins. */
function previousOf(
  { from, every, timeZone, fields = [], fill }: AggregatesRequest,
  series: readonly Series[],
  contentAt: (bucket: BucketRange) => BucketContent,
): ReadonlyMap<string, BucketContent> {
  if (fill !== 'previous') return new Map();
  const width = 2 * (widthsMs[every] ?? 0);
  return new Map(
    fields.flatMap((name) => {
      const times = series.flatMap((one) => one.fields.get(name)?.map(({ time }) => time) ?? []);
      const last = Math.max(...times.filter((time) => time < from));
      if (last === -Infinity) return [];
      const around = { from: last - width, to: Math.min(from, last + width) };
      const edges = plainEdges(around, every, timeZone);
      const end = edges.findIndex((edge) => edge > last);
      const bucket = { from: edges[end - 1] ?? 0, to: edges[end] ?? 0 };
      return [[name, contentAt(bucket)] as const];
    }),
  );
}

function contentOf(
  question: AggregatesRequest,
  now: number,
  bucket: BucketRange,
  series: readonly Series[],
): BucketContent {
  const names = [...new Set(series.flatMap(({ fields }) => [...fields.keys()]))].sort();
  const asked = names.filter((name) => question.fields?.includes(name) ?? true);
  const reported = new Set<string>();
  const kept = new Map<string, string>();
  const fields = asked.flatMap((name) => {
    const inside = (values: readonly PlainValue[]) =>
      values.filter(({ time }) => time >= bucket.from && time < bucket.to);
    const own = series.filter(({ fields }) => inside(fields.get(name) ?? []).length > 0);
    const lists = own.map(({ fields }) => inside(fields.get(name) ?? []));
    const values = lists.flat();
    // Of several devices: of equal times, the smaller value is the first one and the greater one the last.
    const first = lists.flatMap((list) => list.slice(0, 1)).sort(compare)[0];
    const last = lists
      .flatMap((list) => list.slice(-1))
      .sort(compare)
      .at(-1);
    const increases = own.map(({ fields, isReset }) =>
      increaseWithin(fields.get(name) ?? [], bucket, { ...question, isReset: isReset(name) }),
    );
    const until = (end: number) =>
      series.map(({ from, to, fields }) => {
        const stretch = { from: Math.max(from, bucket.from), to: Math.min(to, end) };
        return { stretch, values: fields.get(name) ?? [] };
      });
    const held = heldOf(until(Math.min(bucket.to, now)));
    const carried = keptOf(until(bucket.to));
    if (carried.time > 0) kept.set(name, String(quotient(carried.area, carried.time)));
    if (values.length > 0) reported.add(name);
    const functions = question.functions.filter(
      (each) => values.length > 0 || (each === 'timeWeightedMean' && held.time > 0),
    );
    if (functions.length === 0) return [];
    const known = { values, first, last, increases, held, bucket, question };
    const given = functions.map((each) => [each, evaluate(each, known)]);
    return [[name, Object.fromEntries(given) as Record<string, string | null>] as const];
  });
  return { fields: Object.fromEntries(fields), reported, kept };
}

interface BucketValues {
  values: readonly PlainValue[];
  first: PlainValue | undefined;
  last: PlainValue | undefined;
  increases: readonly (bigint | undefined)[];
  held: { area: bigint; time: number };
  bucket: BucketRange;
  question: AggregatesRequest;
}

function evaluate(
  name: string,
  { values, first, last, increases, held, bucket, question }: BucketValues,
): string | null {
  const numbers = values.map(({ value }) => value);
  const sum = numbers.reduce((total, value) => total + value, 0n);
  const inOrder = numbers.toSorted((left, right) => (left < right ? -1 : 1));
  const increase = () =>
    increases.includes(undefined)
      ? undefined
      : increases.reduce<bigint>((total, value = 0n) => total + value, 0n);
  const results: Record<string, () => bigint | undefined> = {
    count: () => scaled(String(numbers.length)),
    sum: () => sum,
    min: () => inOrder[0],
    max: () => inOrder.at(-1),
    first: () => first?.value,
    last: () => last?.value,
    increase,
  };
  const percentile = /^p(\d\d)$/.exec(name);
  if (percentile !== null) {
    const exact = inOrder[Math.ceil((Number(percentile[1]) * inOrder.length) / 100) - 1];
    return exact === undefined ? null : spelled(exact);
  }
  if (name === 'avg') return String(quotient(sum, numbers.length));
  if (name === 'timeWeightedMean') {
    return held.time === 0 ? null : String(quotient(held.area, held.time));
  }
  if (name === 'rate') {
    const risen = increase();
    if (risen === undefined) return null;
    return String(quotient(risen * BigInt(rateUnits[question.per]), bucket.to - bucket.from));
  }
  const result = results[name]?.();
  return result === undefined ? null : spelled(result);
}

/** Readings of the bucket, or of the time before it that counts, may have expired before they were rolled up. */
function mayLack(
  { from, to, retention }: Series,
  { now }: World,
  { functions, states, fill }: AggregatesRequest,
  bucket: BucketRange,
): boolean {
  const looksBack =
    fill === 'previous' ||
    states.length > 0 ||
    functions.some((name) => /^(increase|rate)$/.test(name));
  const held = functions.includes('timeWeightedMean') ? longestHold : 0;
  const begin = looksBack ? from : Math.max(from, bucket.from - held);
  return begin < Math.min(to, bucket.to) && begin <= now - retention;
}
