import { isNumber, scaled, spelled } from './exact.ts';
import { expectedBuckets } from './oracle-aggregates.ts';
import { expectedLatest, expectedReadings } from './oracle-readings.ts';
import { withNearPercentiles } from './percentiles.ts';
import { askNeighbours } from './ask-neighbours.ts';
import { sameStates } from './same-states.ts';
import { iso, Literal, pathOf, Refusal, walk } from './walk.ts';
import type { QueryFixture } from '../query-fixture.ts';
import type { PlainBucket } from './plain-bucket.ts';
import type { PlainReading } from './oracle-readings.ts';
import type { AggregatesRequest, LatestRequest, ModelRequest } from './requests.ts';
import type { Answered, ShownBucket } from './walk.ts';
import type { ValuesByField, World } from './world.ts';

interface ShownReading {
  device?: string;
  time: string;
  fields: Record<string, unknown>;
}

/** Functions that count from the last value before the range. */
const countsFromBefore = new Set(['increase', 'rate', 'timeWeightedMean']);

/** Functions that give the nearest double. */
const quotients = new Set(['avg', 'rate', 'timeWeightedMean']);

const mostLimit = 1000;

/** Asks the service, page by page, and the world; throws where they differ. Counts states that exceed the limits. */
export async function askBoth(
  fixture: QueryFixture,
  world: World,
  question: ModelRequest,
): Promise<void> {
  try {
    await askAndCompare(fixture, world, question);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    world.refusals += 1;
  }
}

async function askAndCompare(
  fixture: QueryFixture,
  world: World,
  question: ModelRequest,
): Promise<void> {
  if (question.kind === 'latest') return askLatest(fixture, world, question);
  if (question.kind === 'neighbours') return askNeighbours(fixture, world, question);
  const path = `${pathOf(question.owner)}/${question.kind}`;
  const range = {
    from: timeText(question.from, question.isRelative, world),
    to: timeText(question.to, question.isRelative, world),
  };
  const fields = question.fields && { fields: question.fields.map(quoted).join(',') };
  if (question.kind === 'readings') {
    const expected = expectedReadings(world, question);
    const limit = limitFor(expected?.length ?? 0, question.pages);
    const asked = { ...range, ...fields, order: question.order, limit };
    const pages = await walk(fixture, path, asked, expected === undefined);
    const given = pages.flatMap((page) => page['items'] as ShownReading[]);
    same(given.map(shownText), (expected ?? []).map(plainText(!('device' in question.owner))));
    return;
  }
  const expected = expectedBuckets(world, question);
  const limit = limitFor(expected?.length ?? 0, question.pages);
  const { timeZone, functions, wrapsAt, reset, per, groupBy, fill, maxPoints, every } = question;
  const rules = {
    reset,
    per,
    fill,
    ...(groupBy && { groupBy }),
    ...(wrapsAt !== undefined && { wrapsAt: String(wrapsAt) }),
  };
  const step: Record<string, string> =
    maxPoints === undefined ? { every } : { maxPoints: String(maxPoints) };
  const asked = {
    ...range,
    ...fields,
    ...rules,
    ...step,
    timeZone,
    limit,
    fn: [...functions, ...question.states].join(','),
  };
  const pages = await walk(fixture, path, asked, expected === undefined);
  for (const page of pages) same(page['every'], every);
  const buckets = pages.flatMap((page) => page['items'] as ShownBucket[]);
  if (sameBuckets(buckets, expected ?? [], question)) world.needlessMarks += 1;
}

async function askLatest(
  fixture: QueryFixture,
  world: World,
  question: LatestRequest,
): Promise<void> {
  const { owner, limit } = question;
  const isDevice = 'device' in owner;
  const isThere = !isDevice || world.devices.some(({ id }) => id === owner.device);
  const expected = expectedLatest(world, question) ?? [];
  const path = `${pathOf(owner)}/latest`;
  const asked = { [isDevice ? 'limit' : 'readings']: String(limit) };
  const pages = await walk(fixture, path, asked, !isThere);
  const given = isDevice ? pages : pages.flatMap((page) => page['items'] as Answered[]);
  same(
    given.map(({ device }) => (device as { id: string }).id),
    expected.map(({ id }) => id),
  );
  for (const [index, { readings, incomplete }] of given.entries()) {
    const all = expected[index]?.readings.map(plainText(false)) ?? [];
    const shown = (readings as ShownReading[]).map(shownText);
    same(shown, incomplete === true ? all.slice(0, shown.length) : all);
  }
}

/** @returns whether a bucket is marked as incomplete without need */
function sameBuckets(
  given: readonly ShownBucket[],
  expected: readonly PlainBucket[],
  { functions, states: ofStates, fill }: AggregatesRequest,
): boolean {
  let isNeedless = false;
  const where = (bucket: { from: string; to: string; localFrom: string }, group = '') =>
    `${bucket.from} ${bucket.to} ${bucket.localFrom} ${group}`;
  same(
    given.map((bucket) => where(bucket, bucket.device ?? bucket.room)),
    expected.map(({ group, localFrom, from, to }) =>
      where({ localFrom, from: iso(from), to: iso(to) }, group),
    ),
  );
  const looksBack =
    functions.some((name) => countsFromBefore.has(name)) ||
    ofStates.length > 0 ||
    fill === 'previous';
  for (const [index, { incomplete, fields, states = {} }] of given.entries()) {
    const bucket = expected[index];
    if (bucket === undefined) continue;
    if (incomplete !== true) {
      const shown = plainFields(fields, functions);
      const around = { all: expected, isBetween: fill === 'linear' };
      same(shown, withNearPercentiles(shown, bucket, around));
      if (bucket.areStatesKnown) sameStates(states, bucket.states, ofStates);
      continue;
    }
    isNeedless ||= !bucket.mayBeIncomplete;
    if (isNeedless && !looksBack) throw new Error(`incomplete: ${JSON.stringify(given[index])}`);
    for (const [name, { count }] of Object.entries(plainFields(fields, functions))) {
      const most = BigInt((bucket.fields[name]?.['count'] ?? '0').split('r')[0] ?? 0);
      if (BigInt((count ?? '0').split('r')[0] ?? 0) > most) throw new Error(`too many ${name}`);
    }
  }
  return isNeedless;
}

function plainFields(fields: ShownBucket['fields'], functions: readonly string[]) {
  const plain = (name: string, value: Literal | null | undefined) => {
    if (value === null) return null;
    if (value === undefined) throw new Error(`no ${name}`);
    return quotients.has(name) ? String(Number(value.text)) : spelled(scaled(value.text));
  };
  return Object.fromEntries(
    Object.entries(fields).map(([field, values]) => [
      field,
      Object.fromEntries(
        functions.flatMap((name) => (name in values ? [[name, plain(name, values[name])]] : [])),
      ),
    ]),
  );
}

function timeText(time: number, isRelative: boolean, { now }: World): string {
  const isPossible = isRelative && time <= now && (now - time) % 1000 === 0;
  return isPossible ? `now-${(now - time) / 1000}s` : iso(time);
}

function limitFor(elements: number, pages: number): string {
  return String(Math.min(mostLimit, Math.max(1, Math.ceil(elements / pages))));
}

function quoted(name: string): string {
  return name.includes(',') ? `"${name}"` : name;
}

function valueText(value: unknown): string {
  return value instanceof Literal ? value.text : JSON.stringify(value);
}

function shownText({ device, time, fields }: ShownReading): string {
  const values = Object.entries(fields).map(([name, value]) => [name, valueText(value)] as const);
  return textOf(device, time, Object.fromEntries(values));
}

function plainText(withDevice: boolean): (reading: PlainReading) => string {
  return ({ device, time, values }) => textOf(withDevice ? device : undefined, iso(time), values);
}

function textOf(device: string | undefined, time: string, values: ValuesByField): string {
  const fields = Object.entries(values)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, text]) => `${name}=${isNumber(text) ? spelled(scaled(text)) : text}`);
  return `${device ?? ''} ${time} ${fields.join(' ')}`;
}

function same(given: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(given), JSON.stringify(expected)];
  if (left === right) return;
  throw new Error(`answered ${left}\nexpected ${right}`);
}
