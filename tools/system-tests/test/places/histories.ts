import {
  blockItem,
  deviceItem,
  membershipItem,
  placeItem,
  placementItem,
  roomItem,
} from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { ownValue, secretValue } from './homes.ts';
import type { Owner } from './homes.ts';
import type { Document, Membership } from '@engawa/model';
import type { Table } from '@engawa/table';

const hour = 3_600_000;
/** Hours of a stay, each of which has a reading. */
const hoursOfStay = 2;

/** The places where a device was, one after the other: a home of the caller, one of others, or none. */
export const histories = {
  stayed: ['own'],
  'came from nowhere': ['none', 'own'],
  came: ['their', 'own'],
  went: ['own', 'their'],
  'came and went': ['their', 'own', 'their'],
  returned: ['own', 'their', 'own'],
  'was taken away': ['own', 'none'],
  'was elsewhere': ['their', 'none'],
} as const;
export type History = keyof typeof histories;

export interface Stay {
  owner: Owner;
  since: number;
  /** Absent for the current stay. */
  until?: number;
}

/** A device with a history in two homes of its own, which no other test case uses. */
export interface World {
  device: string;
  stays: Stay[];
  /** The time of each reading, with the owner of the place where it was taken, whose name it has as its value. */
  readings: { time: number; owner: Owner }[];
  home: (owner: Owner) => string;
}

/** The place where the device of a history is now. */
export function currentOwner(history: History): Owner {
  return histories[history].at(-1) ?? 'none';
}

/** Whether the device was only at homes of this owner, or at no place. */
export function wasOnlyAt(history: History, owner: Owner): boolean {
  return histories[history].every((one) => one === owner || one === 'none');
}

/** Stores the homes, the device, its history and its readings. */
export async function seedWorld(
  table: Table,
  history: History,
  { number, status = 'active' }: { number: number; status?: 'active' | 'pending' },
): Promise<World> {
  const owners: readonly Owner[] = histories[history];
  const begin = Math.floor(Date.now() / hour) * hour - owners.length * hoursOfStay * hour;
  const stays = owners.map((owner, index): Stay => {
    const since = begin + index * hoursOfStay * hour;
    const isLast = index === owners.length - 1;
    return { owner, since, ...(!isLast && { until: since + hoursOfStay * hour }) };
  });
  const readings = stays.flatMap(({ owner, since }) =>
    Array.from({ length: hoursOfStay }, (_, index) => ({ time: since + index * hour + 1, owner })),
  );
  const home = (owner: Owner) => `${owner}-home-${number}`;
  const world = { device: `meter-${number}`, stays, readings, home };
  await Promise.all(itemsOf(world, status).map((item) => table.put(item)));
  return world;
}

function itemsOf(world: World, status: 'active' | 'pending'): Document[] {
  const { device: id, stays, readings, home } = world;
  const [current] = stays.slice(-1);
  if (current === undefined) throw new Error('a history without a stay');
  const { owner, since } = current;
  const at = { ...(owner !== 'none' && { place: home(owner), room: 'hall' }), since };
  const device = aDevice({ id, name: id, status, kind: 'climate', ...at });
  const memberships = stays.flatMap(({ owner: there, since: from, until }): Membership[] => {
    if (there === 'none') return [];
    const stay = { device: id, place: home(there), since: from };
    const period = until === undefined ? stay : { ...stay, until };
    return [period, { ...period, room: 'hall' }];
  });
  const named = { registeredAt: 1, version: 1 };
  return [
    ...(['own', 'their'] as const).flatMap((each) => [
      { ...placeItem({ id: home(each), name: each, ...named }, 1) },
      { ...roomItem({ place: home(each), id: 'hall', name: each, ...named }, 1) },
    ]),
    { ...deviceItem(device, { list: 1, seen: 1 }), ...(owner !== 'none' && { arrivedAt: since }) },
    ...memberships.map((membership) => ({ ...membershipItem(membership) })),
    ...(owner === 'none'
      ? []
      : [{ ...placementItem({ ...device, device: id, place: home(owner), since }) }]),
    ...readings.map((reading) => readingItem(id, reading)),
  ];
}

/** A block with one reading, whose value is the owner of the place. */
export function readingItem(
  device: string,
  { time, owner }: { time: number; owner: Owner },
): Document {
  return {
    ...blockItem({
      device,
      readings: [
        {
          time,
          fields: {
            takenAt: owner,
            count: 1,
            temperature: owner === 'own' ? ownValue : secretValue,
          },
        },
      ],
    }),
  };
}

/** The body of a correction that excludes all readings of a world from aggregates. */
export function correctionOfAll({ stays }: World) {
  const from = stays[0]?.since ?? 0;
  const to = from + stays.length * hoursOfStay * hour;
  return { operation: 'ignore', from, to, why: 'of the operator' };
}
