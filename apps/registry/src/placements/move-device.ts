import { deviceKey, membershipKey, placeKey, placementKey, roomKey } from '@engawa/keys';
import { membershipItem, placementItem } from '@engawa/model';
import { absent, allOf, equal, present } from '@engawa/table';
import { hasRevision, revisionOf } from '../revision.ts';
import type { Device, Membership } from '@engawa/model';
import type { Condition, Update, Write } from '@engawa/table';
import type { CachedDevice } from '../devices/device-cache.ts';

/** Where a device is to be, or that it is to be nowhere. */
export interface Move {
  to: { place: string; room?: string | undefined } | undefined;
  /** Epoch milliseconds. */
  since: number;
}

/** What a write of a move is about, so that a condition that fails can be understood. */
export type Part = 'device' | 'place' | 'room' | 'placement' | 'room stay' | 'place stay' | 'new';

export interface MoveWrite {
  part: Part;
  write: Write;
}

/**
 * All that changes when a device moves: its own item, its placement, and its memberships, of its room and of its place as a
 * whole (docs/adr/0015). `missing` are parts of the old state that turned out not to be there: the place or room is being
 * deleted, and they are left out.
 */
export function moveWrites(
  known: CachedDevice,
  move: Move,
  missing: ReadonlySet<Part>,
): MoveWrite[] {
  return [
    { part: 'device', write: deviceWrite(known, move) },
    ...targetChecks(move.to),
    ...placementWrites(known, move, missing),
    ...endings(known, move).filter(({ part }) => !missing.has(part)),
    ...beginnings(known, move),
  ];
}

/** The device as the move makes it. */
export function moved({ device, arrivedAt }: CachedDevice, { to, since }: Move): CachedDevice {
  const result: Device = { ...device, since, version: device.version + 1 };
  delete result.place;
  delete result.room;
  if (to === undefined) return { device: result };
  const stays = to.place === device.place;
  return { device: { ...result, ...to }, arrivedAt: stays ? arrivedAt : since };
}

function deviceWrite(known: CachedDevice, move: Move): Write {
  const { device } = known;
  const {
    arrivedAt,
    device: { place, room },
  } = moved(known, move);
  const values = Object.entries({ place, room, arrivedAt });
  return {
    update: deviceKey(device.id),
    set: {
      since: move.since,
      ...Object.fromEntries(
        values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    },
    remove: values.filter(([, value]) => value === undefined).map(([name]) => name),
    add: { version: 1 },
    onlyIf: allOf(
      hasRevision(revisionOf(device)),
      is('place', device.place),
      is('room', device.room),
      is('since', device.since),
    ),
  };
}

function is(field: string, value: string | number | undefined): Condition {
  return value === undefined ? absent(field) : equal(field, value);
}

/** That the place and the room are there. */
export function targetChecks(to: Move['to']): MoveWrite[] {
  if (to === undefined) return [];
  const { place, room } = to;
  const onlyIf = present('version');
  const checks: MoveWrite[] = [{ part: 'place', write: { check: placeKey(place), onlyIf } }];
  if (room !== undefined)
    checks.push({ part: 'room', write: { check: roomKey(place, room), onlyIf } });
  return checks;
}

/** The last event stays with the placement while the device stays at the place, and goes with it. */
function placementWrites(
  { device }: CachedDevice,
  { to, since }: Move,
  missing: ReadonlySet<Part>,
): MoveWrite[] {
  const { id, name, kind, place } = device;
  const writes: MoveWrite[] = [];
  if (place !== undefined && place !== to?.place) {
    writes.push({ part: 'placement', write: { delete: placementKey(place, id) } });
  }
  if (to === undefined) return writes;
  if (place !== to.place || missing.has('placement')) {
    const put = placementItem({ ...to, device: id, since, name, kind });
    return [...writes, { part: 'new', write: { put } }];
  }
  const { room } = to;
  const write: Update = {
    update: placementKey(place, id),
    set: { since, ...(room !== undefined && { room }) },
    remove: room === undefined ? ['room'] : [],
    onlyIf: present('pk'),
  };
  return [{ part: 'placement', write }];
}

/** The old memberships get their end. */
function endings({ device, arrivedAt }: CachedDevice, { to, since: until }: Move): MoveWrite[] {
  const { id, place, room, since } = device;
  if (place === undefined) return [];
  const writes: MoveWrite[] = [];
  const end = (address: Membership): Write => ({
    update: membershipKey(address),
    set: { data: { until } },
    onlyIf: present('pk'),
  });
  if (room !== undefined && since !== undefined) {
    writes.push({ part: 'room stay', write: end({ place, room, device: id, since }) });
  }
  if (place !== to?.place && arrivedAt !== undefined) {
    writes.push({ part: 'place stay', write: end({ place, device: id, since: arrivedAt }) });
  }
  return writes;
}

function beginnings({ device }: CachedDevice, { to, since }: Move): MoveWrite[] {
  if (to === undefined) return [];
  const { place, room } = to;
  const stays: Membership[] = [];
  if (room !== undefined) stays.push({ place, room, device: device.id, since });
  if (place !== device.place) stays.push({ place, device: device.id, since });
  return stays.map((stay) => ({ part: 'new', write: { put: membershipItem(stay) } }));
}

/** Whether the device is there already. */
export function isThere({ place, room }: Device, to: Move['to']): boolean {
  return place === to?.place && room === to?.room;
}
