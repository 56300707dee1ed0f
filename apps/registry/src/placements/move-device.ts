import { randomUUID } from 'node:crypto';
import { deviceKey, membershipKey, placeKey, placementKey, roomKey } from '@engawa/keys';
import {
  correctionStateDocument,
  cutCorrections,
  membershipItem,
  placementItem,
} from '@engawa/model';
import { absent, allOf, equal, present } from '@engawa/table';
import { hasRevision, revisionOf } from '../revision.ts';
import type { CorrectionState, Device, Document, Membership } from '@engawa/model';
import type { Condition, Update, Write } from '@engawa/table';
import type { CachedDevice } from '../devices/device-cache.ts';

/** The new location of a device; without `to`, none. */
export interface Move {
  to: { place: string; room?: string | undefined } | undefined;
  /** Epoch milliseconds. */
  since: number;
  /** The state of the corrections after the move, if it cuts some of them (docs/adr/0104). */
  corrections?: CorrectionState | undefined;
}

/** The item of a write of a move, which identifies a failed condition. */
export type MovePart =
  'device' | 'place' | 'room' | 'placement' | 'room membership' | 'place membership' | 'new';

export interface MoveWrite {
  part: MovePart;
  write: Write;
}

/**
 * All writes of a move: of the device, its placement, and its memberships of its room and of its
 * place as a whole (docs/adr/0015). `missing` are items of the old state that do not exist, since
 * the place or room is being deleted; they are left out.
 */
export function moveWrites(
  known: CachedDevice,
  move: Move,
  missing: ReadonlySet<MovePart>,
): MoveWrite[] {
  return [
    { part: 'device', write: deviceWrite(known, move) },
    ...targetChecks(move.to),
    ...placementWrites(known, move, missing),
    ...endings(known, move).filter(({ part }) => !missing.has(part)),
    ...beginnings(known, move),
  ];
}

/** The device after the move. */
export function moved(
  { device, arrivedAt }: CachedDevice,
  { to, since, corrections }: Move,
): CachedDevice {
  const cut = corrections !== undefined && { corrections };
  const result: Device = { ...device, ...cut, since, version: device.version + 1 };
  delete result.place;
  delete result.room;
  if (to === undefined) return { device: result };
  const periods = to.place === device.place;
  return { device: { ...result, ...to }, arrivedAt: periods ? arrivedAt : since };
}

function deviceWrite(cached: CachedDevice, move: Move): Write {
  const { device } = cached;
  const {
    arrivedAt,
    device: { place, room },
  } = moved(cached, move);
  const values = Object.entries({ place, room, arrivedAt });
  const known = device.corrections && correctionStateDocument(device.corrections);
  return {
    update: deviceKey(device.id),
    set: {
      since: move.since,
      ...Object.fromEntries(
        values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      ...(move.corrections && { corrections: correctionStateDocument(move.corrections) }),
    },
    remove: values.filter(([, value]) => value === undefined).map(([name]) => name),
    add: { version: 1 },
    onlyIf: allOf(
      hasRevision(revisionOf(device)),
      is('place', device.place),
      is('room', device.room),
      is('since', device.since),
      // Of a correction that this replica does not know, it cannot tell whether the move cuts it.
      ...(leavesPlace(device, move) ? [is('corrections', known)] : []),
    ),
  };
}

/** The corrections after a move, if it cuts some: those of clients restricted to the place that the device leaves. */
export function cutByMove(device: Device, move: Move): CorrectionState | undefined {
  const { corrections } = device;
  if (corrections === undefined || !leavesPlace(device, move)) return undefined;
  const after = cutCorrections(corrections, move.since, randomUUID());
  return after === corrections ? undefined : after;
}

function leavesPlace({ place }: Device, { to }: Move): boolean {
  return place !== undefined && place !== to?.place;
}

function is(field: string, value: string | number | Document | undefined): Condition {
  return value === undefined ? absent(field) : equal(field, value);
}

/** Checks that the place and the room exist. */
export function targetChecks(to: Move['to']): MoveWrite[] {
  if (to === undefined) return [];
  const { place, room } = to;
  const onlyIf = present('version');
  const checks: MoveWrite[] = [{ part: 'place', write: { check: placeKey(place), onlyIf } }];
  if (room !== undefined)
    checks.push({ part: 'room', write: { check: roomKey(place, room), onlyIf } });
  return checks;
}

/** The last event stays in the placement while the device stays at the place, and is deleted with it. */
function placementWrites(
  { device }: CachedDevice,
  { to, since }: Move,
  missing: ReadonlySet<MovePart>,
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

/** Ends the old memberships. */
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
    writes.push({ part: 'room membership', write: end({ place, room, device: id, since }) });
  }
  if (place !== to?.place && arrivedAt !== undefined) {
    writes.push({ part: 'place membership', write: end({ place, device: id, since: arrivedAt }) });
  }
  return writes;
}

function beginnings({ device }: CachedDevice, { to, since }: Move): MoveWrite[] {
  if (to === undefined) return [];
  const { place, room } = to;
  const periods: Membership[] = [];
  if (room !== undefined) periods.push({ place, room, device: device.id, since });
  if (place !== device.place) periods.push({ place, device: device.id, since });
  return periods.map((period) => ({ part: 'new', write: { put: membershipItem(period) } }));
}

/** Whether the device is at that location already. */
export function isAtLocation({ place, room }: Device, to: Move['to']): boolean {
  return place === to?.place && room === to?.room;
}
