import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import type { ProblemCode } from '@engawa/errors';
import type { DevicePeriod, RoomPeriod } from '../memberships/membership-store.ts';
import type { TimeRange } from '../time-range.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

/** The subject of a request: a device, a room or a place. */
export interface Subject {
  kind: 'device' | 'room' | 'place';
  path: string;
  params: z.ZodObject;
  problem: ProblemCode;
  /** The devices and times of the subject's readings. */
  periods: (
    params: unknown,
    range: TimeRange,
    limits: RequestLimits,
  ) => Promise<readonly DevicePeriod[]>;
  /** Splits periods by room, for a place. */
  rooms?: (
    params: unknown,
    periods: readonly DevicePeriod[],
    limits: RequestLimits,
  ) => Promise<readonly RoomPeriod[]>;
}

export interface SubjectOptions {
  visible: VisibleReadings;
}

const ofDevice = z.strictObject({ id: deviceId });
const inRoom = z.strictObject({ place: placeId, room: roomId });
const atPlace = z.strictObject({ id: placeId });

export function subjects({ visible }: SubjectOptions): Subject[] {
  return [
    {
      kind: 'device',
      path: '/v1/devices/{id}',
      params: ofDevice,
      problem: 'device-not-found',
      periods: (params, range, limits) =>
        visible.ofDevice(ofDevice.parse(params).id, range, limits),
    },
    {
      kind: 'room',
      path: '/v1/rooms/{place}/{room}',
      params: inRoom,
      problem: 'room-not-found',
      periods: (params, range, limits) => visible.takenAt(inRoom.parse(params), range, limits),
    },
    {
      kind: 'place',
      path: '/v1/places/{id}',
      params: atPlace,
      problem: 'place-not-found',
      periods: (params, range, limits) =>
        visible.takenAt({ place: atPlace.parse(params).id }, range, limits),
      rooms: (params, periods, limits) =>
        visible.roomsOf(atPlace.parse(params).id, periods, limits),
    },
  ];
}
