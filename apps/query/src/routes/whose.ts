import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import type { ProblemCode } from '@engawa/errors';
import type { Budget } from '@engawa/http';
import type { DevicePeriod, MembershipStore, Scene } from '../membership-store.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { ReadingStore } from '../readings/reading-store.ts';

/** What a page may cost, and for how long somebody waits for it. */
export interface Means {
  budget: Budget;
  signal: AbortSignal;
}

/** Whose readings a question is about: a device's, or those taken in a room or at a place. */
export interface Whose {
  kind: 'device' | 'room' | 'place';
  path: string;
  params: z.ZodObject;
  problem: ProblemCode;
  /** Which devices, and when. */
  periods: (params: unknown, range: TimeRange & Means) => Promise<readonly DevicePeriod[]>;
}

export interface WhoseOptions {
  readings: ReadingStore;
  memberships: MembershipStore;
}

const ofDevice = z.strictObject({ id: deviceId });
const inRoom = z.strictObject({ place: placeId, room: roomId });
const atPlace = z.strictObject({ id: placeId });

export function everybody({ readings, memberships }: WhoseOptions): Whose[] {
  const there = async (scene: Scene, { budget, ...range }: TimeRange & Means) => {
    const { periods, units } = await memberships.overlapping({ ...scene, ...range });
    budget.charge(units);
    return periods;
  };
  return [
    {
      kind: 'device',
      path: '/v1/devices/{id}',
      params: ofDevice,
      problem: 'device-not-found',
      periods: async (params, { from, to }) => {
        const { id } = ofDevice.parse(params);
        await readings.device(id);
        return [{ device: id, from, to }];
      },
    },
    {
      kind: 'room',
      path: '/v1/rooms/{place}/{room}',
      params: inRoom,
      problem: 'room-not-found',
      periods: (params, range) => there(inRoom.parse(params), range),
    },
    {
      kind: 'place',
      path: '/v1/places/{id}',
      params: atPlace,
      problem: 'place-not-found',
      periods: (params, range) => there({ place: atPlace.parse(params).id }, range),
    },
  ];
}
