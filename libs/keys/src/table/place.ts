import { collated } from '../segments/collated.ts';
import { instant } from '../segments/instant.ts';
import { natural } from '../segments/natural.ts';
import { id } from '../segments/text.ts';
import { collatedSortKey, partitionKey, sortKey } from './key.ts';
import type { Gsi1Key, Key } from './key.ts';

/** A place, its rooms and the devices placed there are one item collection: one Query returns the place. */
export function placePartition(place: string): string {
  return partitionKey('place', ['PLACE', id('place', place)]);
}

export function placeKey(place: string): Key {
  return { pk: placePartition(place), sk: sortKey('place', ['PLACE', id('place', place)]) };
}

export function roomKey(place: string, room: string): Key {
  return { pk: placePartition(place), sk: sortKey('room', ['ROOM', id('room', room)]) };
}

/** The current location of a device. */
export function placementKey(place: string, device: string): Key {
  return { pk: placePartition(place), sk: sortKey('device', ['DEVICE', id('device', device)]) };
}

/** The memberships of a room, or, without a room, of the place as a whole. */
export function membersPartition(place: string, room?: string): string {
  const rooms = room === undefined ? [] : [id('room', room)];
  return partitionKey('room', ['ROOM', id('place', place), ...rooms]);
}

export interface MembershipAddress {
  place: string;
  /** Absent for a membership of the place as a whole, in any of its rooms. */
  room?: string | undefined;
  device: string;
  /** Epoch milliseconds. */
  since: number;
}

/** A device's membership in a room or at a place since `since`; kept after the device leaves. */
export function membershipKey({ place, room, device, since }: MembershipAddress): Key {
  return {
    pk: membersPartition(place, room),
    sk: sortKey('device', ['DEVICE', id('device', device), instant('since', since)]),
  };
}

/** The reverse direction: the locations of a device, in order of time. */
export function membershipIndexKey({ place, room, device, since }: MembershipAddress): Gsi1Key {
  const rooms = room === undefined ? [] : [id('room', room)];
  return {
    gsi1pk: deviceMembershipsPartition(device),
    gsi1sk: sortKey('place', ['MEMBER', instant('since', since), id('place', place), ...rooms]),
  };
}

export function deviceMembershipsPartition(device: string): string {
  return partitionKey('device', ['DEVICE', id('device', device)]);
}

/** The position of a time among the memberships of a device in the index: before those that begin then. */
export function membershipIndexTime(since: number): string {
  return sortKey('place', ['MEMBER', instant('since', since)]);
}

export function placeListPartition(shard: number): string {
  return partitionKey('shard', ['LIST', 'PLACE', String(shard)]);
}

export function placeListKey(shard: number, name: string, place: string): Gsi1Key {
  return {
    gsi1pk: placeListPartition(shard),
    gsi1sk: collatedSortKey(collated('name', name), [id('place', place)]),
  };
}

/** The position of a room or of a device of a place in natural order of names. Not stored. */
export function naturalPosition(name: string, itemId: string): string {
  return collatedSortKey(natural('name', name), [id('id', itemId)]);
}

export function roomListPartition(shard: number): string {
  return partitionKey('shard', ['LIST', 'ROOM', String(shard)]);
}

export function roomListKey(shard: number, name: string, place: string, room: string): Gsi1Key {
  return {
    gsi1pk: roomListPartition(shard),
    gsi1sk: collatedSortKey(collated('name', name), [id('place', place), id('room', room)]),
  };
}
