import { isDeepStrictEqual } from 'node:util';
import { allPages } from '../../oracles/pages.ts';
import type { Membership } from '../../oracles/membership-history.ts';
import type { ActorContext } from '../actor.ts';
import type { Gadget } from './gadget.ts';
import type { Home } from './home.ts';

const limit = { from: 1, to: 5 };

/** Compares the history of devices, and the devices of each place and room, with the expected ones. */
export async function violationsOfMemberships(
  context: ActorContext,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const violations: string[] = [];
  const compare = async (path: string, wanted: readonly unknown[] | undefined) => {
    const shown = await allPages(context, { service: 'registry', path, limit });
    if (isDeepStrictEqual(shown, wanted)) return;
    violations.push(`GET ${path}: ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`);
  };
  for (const { thing, memberships } of gadgets) {
    await compare(
      `${thing.path}/placements`,
      thing.incarnation && memberships.history.map(shownStay),
    );
  }
  for (const { id, place } of homes) {
    const there = gadgets.filter(({ memberships }) => memberships.location?.place === id);
    const rows = there.map(({ id: device, thing, memberships: { location, since } }) => {
      const { name, kind } = thing.incarnation?.content ?? {};
      const room = location?.room;
      return { device, name, kind, ...(room !== undefined && { room }), since: timeOf(since) };
    });
    await compare(`${place.path}/devices`, place.incarnation && rows.toSorted(byDevice));
  }
  return [...violations, ...(await violationsOfRooms(context, homes, gadgets))];
}

/** Checks the current devices of each room, page by page. */
async function violationsOfRooms(
  context: ActorContext,
  homes: readonly Home[],
  gadgets: readonly Gadget[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const { id, rooms } of homes) {
    for (const [room, { path, incarnation }] of rooms) {
      if (incarnation === undefined) continue;
      const own = gadgets.filter(
        ({ memberships: { location } }) => location?.place === id && location.room === room,
      );
      const wanted = own.map(({ id: device, memberships }) => ({
        device,
        since: timeOf(memberships.since),
      }));
      const list = { service: 'registry', path, limit: { from: 1, to: 2 } } as const;
      const shown = await allPages(context, { ...list, itemsIn: 'devices' });
      if (isDeepStrictEqual(shown, wanted.toSorted(byDevice))) continue;
      violations.push(`GET ${path}: ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`);
    }
  }
  return violations;
}

const timeOf = (time = NaN) => new Date(time).toISOString();

const byDevice = ({ device: one }: { device: string }, { device: other }: { device: string }) =>
  one < other ? -1 : 1;

function shownStay({ place, room, since, until }: Membership): Record<string, unknown> {
  return {
    place,
    ...(room !== undefined && { room }),
    since: timeOf(since),
    ...(until !== undefined && { until: timeOf(until) }),
  };
}
