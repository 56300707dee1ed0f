import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { deviceFields, showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { changeAllowedDevice } from '../devices/allowed-device.ts';
import { defaultsOf } from '../devices/replacement.ts';
import { alreadyExists } from '../devices/device-store.ts';
import { expectAllowedStatus } from '../devices/restricted-changes.ts';
import { allowedStays } from '../placements/allowed-stays.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface PutDeviceOptions {
  devices: DeviceStore;
  placements: PlacementStore;
}

export const putDevice = ({ devices, placements }: PutDeviceOptions): Route =>
  route({
    method: 'put',
    path: '/v1/devices/{id}',
    operationId: 'putDevice',
    summary: 'Register a device, or replace its properties',
    description:
      'Properties that the body omits get their defaults, also for an existing device: the name is the id, the status is active, the kind is determined by the messages of the device (`other` until then). PATCH changes only the properties in its body. The placement and the readings are not affected.',
    tags: ['devices'],
    params: z.strictObject({ id: deviceId }),
    headers: putHeaders,
    body: z.strictObject(deviceFields).prefault({}),
    exactNumbers: true,
    responses: {
      200: { description: 'The existing device, after the change.', schema: wholeDevice },
      201: { description: 'The new device.', schema: wholeDevice },
    },
    problems: [
      'device-not-found',
      'beyond-places',
      'version-mismatch',
      'already-exists',
      'being-deleted',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, body: given, places, budget, signal }) => {
      const expected = expectedRevision(headers);
      const asked = { id, places, revision: typeof expected === 'object' ? expected : undefined };
      const put = changeAllowedDevice(devices, asked, async (revision, restricted) => {
        if (restricted === undefined) return devices.put({ id, given, expected });
        if (expected === 'absent') throw alreadyExists(id);
        const history = { placements, device: restricted, places, budget, signal };
        const { status } = { ...defaultsOf(id), ...given };
        await expectAllowedStatus(restricted.device, status, () => allowedStays(history));
        return devices.put({ id, given, expected: revision });
      });
      const { device, created } = await put;
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
