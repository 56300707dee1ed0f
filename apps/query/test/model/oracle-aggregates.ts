import { isNumber, quotient, scaled, spelled } from './exact.ts';
import { plainEdges, plainLocal } from './local-time.ts';
import { plainFill } from './oracle-fill.ts';
import { heldOf } from './oracle-held.ts';
import { increaseWithin } from './oracle-increase.ts';
import { corrected, wasReset } from './oracle-corrections.ts';
import { groupsOf } from './oracle-readings.ts';
import { rateUnits } from './requests.ts';
import type { AggregatesRequest } from './requests.ts';
import type { PlainValue, ResetBetween, BucketRange } from './oracle-increase.ts';
import type { StoredReading, World } from './world.ts';

const day = 86_400_000;

export interface PlainBucket extends BucketRange {
  group: string | undefined;
  localFrom: string;
  /** By field and function, numbers as `spelled` gives them, the average as its double. */
  fields: Record<string, Record<string, string | null>>;
  /** Whether it may be marked as incomplete. */
  mayBeIncomplete: boolean;
}

/** Values by field of a device while it was there, also of the day before the range. */
interface Series {
  from: number;
  to: number;
  retention: number;
  fields: Map<string, PlainValue[]>;
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
    series: periods.map((period) => seriesOf(world, all, { ...period, begin: from - day })),
  }));
  const edges = plainEdges({ from, to }, every, timeZone);
  const byGroup = series.map(({ group, series }) => {
    const buckets = edges.slice(1).map((end, index): PlainBucket => {
      const bucket = { from: edges[index] ?? 0, to: end };
      const looked = question.fill === 'none' ? bucket : { from, to };
      return {
        ...bucket,
        group,
        localFrom: plainLocal(bucket.from, timeZone),
        fields: fieldsOf(question, bucket, series),
        mayBeIncomplete: series.some((one) => mayLack(one, world, question, looked)),
      };
    });
    return plainFill(buckets, question);
  });
  return edges.slice(1).flatMap((_, index) => byGroup.flatMap((buckets) => buckets[index] ?? []));
}

function seriesOf(
  world: World,
  all: readonly StoredReading[],
  period: BucketRange & { device: string; begin: number },
): Series {
  const begin = Math.max(period.from, period.begin);
  const own = all.filter(
    ({ device, time }) => device === period.device && time >= begin && time < period.to,
  );
  const device = world.devices.find(({ id }) => id === period.device);
  const retention = device?.retention ?? Infinity;
  const isReset = (field: string) => wasReset(world, period.device, field);
  return { from: begin, to: period.to, retention, fields: valuesOf(own), isReset };
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

function fieldsOf(question: AggregatesRequest, bucket: BucketRange, series: readonly Series[]) {
  const names = [...new Set(series.flatMap(({ fields }) => [...fields.keys()]))].sort();
  const asked = names.filter((name) => question.fields?.includes(name) ?? true);
  return Object.fromEntries(
    asked.flatMap((name) => {
      const inside = (values: readonly PlainValue[]) =>
        values.filter(({ time }) => time >= bucket.from && time < bucket.to);
      const own = series.filter(({ fields }) => inside(fields.get(name) ?? []).length > 0);
      const lists = own.map(({ fields }) => inside(fields.get(name) ?? []));
      const values = lists.flat();
      if (values.length === 0) return [];
      // Of several devices: of equal times, the smaller value is the first one and the greater one the last.
      const first = lists.flatMap((list) => list.slice(0, 1)).sort(compare)[0];
      const last = lists
        .flatMap((list) => list.slice(-1))
        .sort(compare)
        .at(-1);
      const increases = own.map(({ fields, isReset }) =>
        increaseWithin(fields.get(name) ?? [], bucket, { ...question, isReset: isReset(name) }),
      );
      const held = heldOf(
        own.map(({ from, to, fields }) => {
          const stretch = { from: Math.max(from, bucket.from), to: Math.min(to, bucket.to) };
          return { stretch, values: fields.get(name) ?? [] };
        }),
      );
      const known = { values, first, last, increases, held, bucket, question };
      const given = question.functions.map((each) => [each, evaluate(each, known)]);
      return [[name, Object.fromEntries(given) as Record<string, string | null>]];
    }),
  );
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
  if (name === 'timeWeightedMean') return String(quotient(held.area, held.time));
  if (name === 'rate') {
    const risen = increase();
    if (risen === undefined) return null;
    return String(quotient(risen * BigInt(rateUnits[question.per]), bucket.to - bucket.from));
  }
  const result = results[name]?.();
  return result === undefined ? null : spelled(result);
}

/** Readings of the bucket, or for an increase of the time before it, may have expired before they were rolled up. */
function mayLack(
  { from, to, retention }: Series,
  { now }: World,
  question: AggregatesRequest,
  bucket: BucketRange,
): boolean {
  const looksBack = ['increase', 'rate', 'timeWeightedMean'];
  const begin = question.functions.some((name) => looksBack.includes(name))
    ? from
    : Math.max(from, bucket.from);
  return begin < Math.min(to, bucket.to) && begin <= now - retention;
}
