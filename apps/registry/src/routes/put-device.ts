import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { deviceFields, showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { expectAllowedDevice, allowedDevice } from '../devices/allowed-device.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';

export const putDevice = ({ devices }: { devices: DeviceStore }): Route =>
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
      'version-mismatch',
      'already-exists',
      'being-deleted',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, body: given, places }) => {
      const expected = expectedRevision(headers);
      await expectAllowedDevice(devices, id, places);
      const put = await devices.put({ id, given, expected });
      const { created } = put;
      const device = allowedDevice(put.device, places);
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
