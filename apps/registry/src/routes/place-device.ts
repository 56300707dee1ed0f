import { ifMatchRevision, route } from '@engawa/http';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { changeAllowedDevice } from '../devices/allowed-device.ts';
import { refuseRemoval } from '../devices/restricted-changes.ts';
import { expectAllowedPlace } from '../places/allowed-place.ts';
import { periodOutput, showPeriod } from '../placements/period-output.ts';
import { timeField } from '../placements/time-field.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

const path = '/v1/places/{place}/devices/{device}';
const params = z.strictObject({ place: placeId, device: deviceId });
const headers = z.object({
  'if-match': ifMatchRevision.describe(
    'The ETag of the device: a device that has changed since it was read is not moved.',
  ),
});

const since = timeField
  .optional()
  .describe(
    'The time of the move, by default now: ISO 8601 with an offset, or epoch seconds or milliseconds. Must be later than the last move, and at most a minute in the future.',
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
    summary: 'Place or move a device',
    description:
      'Without `room` the device is in no room of the place. The request is idempotent: a device that is already at the location keeps its `since`.',
    tags: ['placements'],
    params,
    headers,
    body: z.strictObject({ room: roomId.optional(), since }).prefault({}),
    responses: {
      200: { description: 'The current location of the device.', schema: periodOutput },
    },
    problems: [
      'device-not-found',
      'place-not-found',
      'room-not-found',
      'version-mismatch',
      'history-conflict',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { place, device: id }, headers, body, places }) => {
      const { room, since } = body;
      const asked = { id, places, revision: headers['if-match'] };
      const { device } = await changeAllowedDevice(devices, asked, async (revision) => {
        expectAllowedPlace(place, places);
        return placements.move({ device: id, to: { place, room }, since, revision });
      });
      const period = { place, room, since: device.since ?? device.registeredAt };
      return { status: 200, body: showPeriod(period) };
    },
  });

export const takeDeviceAway = ({ devices, placements }: PlaceDeviceOptions): Route =>
  route({
    method: 'delete',
    path,
    operationId: 'takeDeviceAway',
    summary: 'Remove a device from a place',
    description:
      'The device then has no placement. The histories of the device and of the place keep the former placement. A token that is restricted to places cannot remove a device from its place, only move it to another one.',
    tags: ['placements'],
    params,
    headers,
    responses: { 204: { description: 'Removed.' } },
    problems: [
      'device-not-found',
      'beyond-places',
      'placement-not-found',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { place: from, device }, headers, places }) => {
      const asked = { id: device, places, revision: headers['if-match'] };
      await changeAllowedDevice(devices, asked, async (revision, restricted) => {
        if (restricted?.device.place === from) refuseRemoval(restricted.device);
        return placements.move({ device, from, to: undefined, revision });
      });
      return { status: 204 };
    },
  });
