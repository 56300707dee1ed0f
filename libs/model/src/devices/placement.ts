import { membershipIndexKey, membershipKey, parseKey, placementKey } from '@engawa/keys';
import { deviceKinds } from './kind.ts';
import { keyOf } from '../places/place.ts';
import type { Document } from '../values/item-size.ts';
import type { DeviceKind } from './kind.ts';
import type { Fields } from '../readings/reading.ts';

/** The current location of a device and its last event. Times are epoch milliseconds. */
export interface Placement {
  place: string;
  device: string;
  room?: string | undefined;
  since: number;
  /** Copied from the device, so that one Query returns all devices of a place. */
  name: string;
  kind: DeviceKind;
  lastEventAt?: number | undefined;
  /** Such as `{ contact: 'open' }`; written by ingestion. */
  lastEvent?: Fields | undefined;
}

/** A period of a device in a room, or, without a room, at a place as a whole. */
export interface Membership {
  place: string;
  room?: string | undefined;
  device: string;
  since: number;
  /** Absent while the membership lasts. */
  until?: number | undefined;
}

/**
 * Whether the device is there now: it has not left. This is the only definition of "now" for placements: a move counts
 * from when it is made, although its `since` may be up to a minute ahead (clocks differ).
 */
export function isCurrent({ until }: Pick<Membership, 'until'>): boolean {
  return until === undefined;
}

export function placementItem(placement: Placement): Document {
  const { place, device, room, since, name, kind, lastEventAt, lastEvent } = placement;
  return {
    ...placementKey(place, device),
    since,
    name,
    kind,
    ...(room !== undefined && { room }),
    ...(lastEventAt !== undefined && { lastEventAt }),
    ...(lastEvent !== undefined && { lastEvent }),
  };
}

/** @throws TypeError when the item is not a placement */
export function parsePlacement(item: Document): Placement {
  const key = parseKey(keyOf(item));
  if (key.item !== 'placement') throw new TypeError(`a ${key.item}, not a placement`);
  const { room, since, name, kind, lastEventAt, lastEvent } = item;
  return {
    place: key.place,
    device: key.device,
    since: Number(since),
    name: typeof name === 'string' ? name : key.device,
    kind: deviceKinds.find((known) => known === kind) ?? 'other',
    ...(typeof room === 'string' && { room }),
    ...(lastEventAt !== undefined && { lastEventAt: Number(lastEventAt) }),
    ...(lastEvent !== undefined && { lastEvent: lastEvent as Fields }),
  };
}

/** `data` holds the attributes that the list index projects (docs/adr/0005-index-projections.md). */
export function membershipItem({ until, ...address }: Membership): Document {
  return {
    ...membershipKey(address),
    ...membershipIndexKey(address),
    ...(until !== undefined && { data: { until } }),
  };
}

/** @throws TypeError when the item is not a membership */
export function parseMembership(item: Document): Membership {
  const key = parseKey(keyOf(item));
  if (key.item !== 'membership') throw new TypeError(`a ${key.item}, not a membership`);
  const { place, room, device, since } = key;
  const { until } = (item['data'] ?? {}) as { until?: number };
  return {
    place,
    device,
    since,
    ...(room !== undefined && { room }),
    ...(until !== undefined && { until }),
  };
}
