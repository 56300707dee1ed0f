import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import type { ProblemCode } from '@engawa/errors';
import type { DevicePeriod, RoomPeriod } from '../membership-store.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { RequestLimits, VisibleReadings } from '../visible-readings.ts';

/** Whose readings a question is about: a device's, or those taken in a room or at a place. */
export interface Subject {
  kind: 'device' | 'room' | 'place';
  path: string;
  params: z.ZodObject;
  problem: ProblemCode;
  /** Which devices, and when. */
  periods: (
    params: unknown,
    range: TimeRange,
    means: RequestLimits,
  ) => Promise<readonly DevicePeriod[]>;
  /** In which rooms, of a place. */
  rooms?: (
    params: unknown,
    periods: readonly DevicePeriod[],
    means: RequestLimits,
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
      periods: (params, range, means) => visible.ofDevice(ofDevice.parse(params).id, range, means),
    },
    {
      kind: 'room',
      path: '/v1/rooms/{place}/{room}',
      params: inRoom,
      problem: 'room-not-found',
      periods: (params, range, means) => visible.takenAt(inRoom.parse(params), range, means),
    },
    {
      kind: 'place',
      path: '/v1/places/{id}',
      params: atPlace,
      problem: 'place-not-found',
      periods: (params, range, means) =>
        visible.takenAt({ place: atPlace.parse(params).id }, range, means),
      rooms: (params, periods, means) => visible.roomsOf(atPlace.parse(params).id, periods, means),
    },
  ];
}
