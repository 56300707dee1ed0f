import { scaled } from './exact.ts';
import { iso, Literal, pathOf, walk } from './walk.ts';
import type { QueryFixture } from '../query-fixture.ts';
import type { ShownBucket } from './walk.ts';
import type { NeighboursRequest } from './requests.ts';
import type { World } from './world.ts';

/** Asks the increase of two neighbouring ranges and of their union, which must be their sum. */
export async function askNeighbours(
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
