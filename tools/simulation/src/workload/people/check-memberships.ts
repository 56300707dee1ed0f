import { isDeepStrictEqual } from 'node:util';
import { allPages } from '../../oracles/pages.ts';
import type { Stay } from '../../oracles/stays.ts';
import type { Stage } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { Home } from './home.ts';

const limit = { from: 1, to: 5 };

/** Where devices were, and who is in each place and room, compared with what there must be. */
export async function violationsOfMemberships(
  stage: Stage,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const violations: string[] = [];
  const compare = async (path: string, wanted: readonly unknown[] | undefined) => {
    const shown = await allPages(stage, { service: 'registry', path, limit });
    if (isDeepStrictEqual(shown, wanted)) return;
    violations.push(`GET ${path}: ${JSON.stringify(shown)} in place of ${JSON.stringify(wanted)}`);
  };
  for (const { thing, stays } of gadgets) {
    await compare(`${thing.path}/placements`, thing.life && stays.history.map(shownStay));
  }
  for (const { id, place } of homes) {
    const there = gadgets.filter(({ stays }) => stays.location?.place === id);
    const rows = there.map(({ id: device, thing, stays: { location, since } }) => {
      const { name, kind } = thing.life?.content ?? {};
      const room = location?.room;
      return { device, name, kind, ...(room !== undefined && { room }), since: timeOf(since) };
    });
    await compare(`${place.path}/devices`, place.life && rows.toSorted(byDevice));
  }
  return [...violations, ...(await violationsOfRooms(stage, homes, gadgets))];
}

/** Who is in each room now, page by page. */
async function violationsOfRooms(
  stage: Stage,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const { id, rooms } of homes) {
    for (const [room, { path, life }] of rooms) {
      if (life === undefined) continue;
      const own = gadgets.filter(
        ({ stays: { location } }) => location?.place === id && location.room === room,
      );
      const wanted = own.map(({ id: device, stays }) => ({ device, since: timeOf(stays.since) }));
      const list = { service: 'registry', path, limit: { from: 1, to: 2 } } as const;
      const shown = await allPages(stage, { ...list, itemsIn: 'devices' });
      if (isDeepStrictEqual(shown, wanted.toSorted(byDevice))) continue;
      violations.push(
        `GET ${path}: ${JSON.stringify(shown)} in place of ${JSON.stringify(wanted)}`,
      );
    }
  }
  return violations;
}

const timeOf = (time = NaN) => new Date(time).toISOString();

const byDevice = ({ device: one }: { device: string }, { device: other }: { device: string }) =>
  one < other ? -1 : 1;

function shownStay({ place, room, since, until }: Stay): Record<string, unknown> {
  return {
    place,
    ...(room !== undefined && { room }),
    since: timeOf(since),
    ...(until !== undefined && { until: timeOf(until) }),
  };
}
