import { ifMatchRevision, route } from '@engawa/http';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { expectOwnDevice } from '../devices/own-device.ts';
import { expectOwnPlace } from '../places/own-place.ts';
import { shownStay, showStay } from '../places/place-schemas.ts';
import { timeField } from '../placements/time-field.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

const path = '/v1/places/{place}/devices/{device}';
const params = z.strictObject({ place: placeId, device: deviceId });
const headers = z.object({
  'if-match': ifMatchRevision.describe(
    'The ETag of the device: one that was changed since is not moved.',
  ),
});

const since = timeField
  .optional()
  .describe(
    'From when on, by default now: ISO 8601 with an offset, or epoch seconds or milliseconds. Later than its last move, and at most a minute ahead.',
  );

export interface PlaceDeviceOptions {
  devices: DeviceStore;
  placements: PlacementStore;
}

export const placeDevice = ({ devices, placements }: PlaceDeviceOptions): Route =>
  route({
    method: 'put',
    path,
    operationId: 'placeDevice',
    summary: 'Place a device, or move it, from wherever it is',
    description:
      'Without `room` it is at the place and in none of its rooms. Where it is there already, nothing changes, nor does since when it has been.',
    tags: ['placements'],
    params,
    headers,
    body: z.strictObject({ room: roomId.optional(), since }).prefault({}),
    answers: { 200: { description: 'Where it is now, and since when.', schema: shownStay } },
    problems: [
      'device-not-found',
      'place-not-found',
      'room-not-found',
      'version-mismatch',
      'history-conflict',
      'table-throttled',
      'not-supported-by-table',
    ],
    keepsToPlaces: true,
    handle: async ({ params: { place, device: id }, headers, body, places }) => {
      await expectOwnDevice(devices, id, places);
      expectOwnPlace(place, places);
      const { room, since } = body;
      const revision = headers['if-match'];
      const { device } = await placements.move({
        device: id,
        to: { place, room },
        since,
        revision,
      });
      const stay = { place, room, since: device.since ?? device.registeredAt };
      return { status: 200, body: showStay(stay) };
    },
  });

export const takeDeviceAway = ({ devices, placements }: PlaceDeviceOptions): Route =>
  route({
    method: 'delete',
    path,
    operationId: 'takeDeviceAway',
    summary: 'Take a device away from a place',
    description:
      'It is placed nowhere then. That it was there, its history and that of the place keep.',
    tags: ['placements'],
    params,
    headers,
    answers: { 204: { description: 'It is not there any more.' } },
    problems: [
      'device-not-found',
      'placement-not-found',
      'version-mismatch',
      'table-throttled',
      'not-supported-by-table',
    ],
    keepsToPlaces: true,
    handle: async ({ params: { place: from, device }, headers, places }) => {
      await expectOwnDevice(devices, device, places);
      await placements.move({ device, from, to: undefined, revision: headers['if-match'] });
      return { status: 204 };
    },
  });
