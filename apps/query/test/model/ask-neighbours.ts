import { scaled } from './exact.ts';
import { durationsOf } from './same-states.ts';
import { iso, Literal, pathOf, walk } from './walk.ts';
import type { QueryFixture } from '../query-fixture.ts';
import type { ShownBucket } from './walk.ts';
import type { NeighboursRequest } from './requests.ts';
import type { World } from './world.ts';

/** Asks two neighbouring ranges and their union, which must be their sum. */
export async function askNeighbours(
  fixture: QueryFixture,
  world: World,
  request: NeighboursRequest,
): Promise<void> {
  if (request.ofStates) return askStates(fixture, world, request);
  return askIncrease(fixture, world, request);
}

async function askIncrease(
  fixture: QueryFixture,
  world: World,
  { owner, from, middle, to, field, every }: NeighboursRequest,
): Promise<void> {
  const isThere = !('device' in owner) || world.devices.some(({ id }) => id === owner.device);
  const increase = async (range: { from: number; to: number }) => {
    const quoted = `"${field}"`;
    const asked = {
      from: iso(range.from),
      to: iso(range.to),
      fields: quoted,
      every,
      fn: 'increase',
    };
    const path = `${pathOf(owner)}/aggregates`;
    const pages = await walk(fixture, path, { ...asked, limit: '1000' }, !isThere);
    const buckets = pages.flatMap((page) => page['items'] as ShownBucket[]);
    return buckets.map(({ incomplete, fields }) => {
      const value = Object.hasOwn(fields, field) ? fields[field]?.['increase'] : new Literal('0');
      return incomplete === true || value === null || value === undefined ? undefined : value.text;
    });
  };
  const whole = await increase({ from, to });
  const parts = [await increase({ from, to: middle }), await increase({ from: middle, to })];
  const [left, right] = [totalOf(whole), totalOf(parts.flat())];
  if (left === undefined || right === undefined || left === right) return;
  throw new Error(`${JSON.stringify(whole)} is not the sum of ${JSON.stringify(parts)}`);
}

/** Undefined where a bucket is unknown. */
function totalOf(values: readonly (string | undefined)[]): bigint | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return known.reduce((sum, value) => sum + scaled(value), 0n);
}

async function askStates(
  fixture: QueryFixture,
  world: World,
  { owner, from, middle, to, field, every }: NeighboursRequest,
): Promise<void> {
  const isThere = !('device' in owner) || world.devices.some(({ id }) => id === owner.device);
  const path = `${pathOf(owner)}/aggregates`;
  const question = { fields: field, every, fn: 'changes,duration', limit: '1000' };
  const bucketsOf = async (range: { from: number; to: number }) => {
    const asked = { ...question, from: iso(range.from), to: iso(range.to) };
    const pages = await walk(fixture, path, asked, !isThere);
    return pages.flatMap((page) => page['items'] as ShownBucket[]);
  };
  const whole = await bucketsOf({ from, to });
  const parts = [
    ...(await bucketsOf({ from, to: middle })),
    ...(await bucketsOf({ from: middle, to })),
  ];
  const [left, right] = [statesOf(whole, field), statesOf(parts, field)];
  if (left === undefined || right === undefined || left === right) return;
  throw new Error(`${left} is not the sum ${right}`);
}

/** The sums of changes and durations, as a text; undefined where they are not all known. */
function statesOf(buckets: readonly ShownBucket[], field: string): string | undefined {
  let changes = 0;
  const sums = new Map<string, number>();
  for (const { incomplete, states = {} } of buckets) {
    const ofField = states[field];
    if (incomplete === true || ofField?.others !== undefined) return undefined;
    if (ofField === undefined) continue;
    changes += Number(ofField.changes?.text);
    for (const [key, ms] of durationsOf(ofField)) sums.set(key, (sums.get(key) ?? 0) + ms);
  }
  return JSON.stringify([changes, [...sums].sort()]);
}
