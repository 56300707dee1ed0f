import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { deviceFields, showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { expectOwnDevice, ownDevice } from '../devices/own-device.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';

export const putDevice = ({ devices }: { devices: DeviceStore }): Route =>
  route({
    method: 'put',
    path: '/v1/devices/{id}',
    operationId: 'putDevice',
    summary: 'Register a device, or replace what is said of it',
    description:
      'What is not given has its default, also of a device that is there: it is named as its id and active, and its kind is the one that its messages tell, `other` until they do. PATCH changes what is given only. Where a device is, and what was heard of it, stays as it is.',
    tags: ['devices'],
    params: z.strictObject({ id: deviceId }),
    headers: putHeaders,
    body: z.strictObject(deviceFields).prefault({}),
    exactNumbers: true,
    answers: {
      200: { description: 'The device, which was there, as it is now.', schema: wholeDevice },
      201: { description: 'The device, which is new.', schema: wholeDevice },
    },
    problems: [
      'device-not-found',
      'version-mismatch',
      'already-exists',
      'being-deleted',
      'table-throttled',
      'not-supported-by-table',
    ],
    keepsToPlaces: true,
    handle: async ({ params: { id }, headers, body: said, places }) => {
      const expected = expectedRevision(headers);
      await expectOwnDevice(devices, id, places);
      const put = await devices.put({ id, said, expected });
      const { created } = put;
      const device = ownDevice(put.device, places);
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
