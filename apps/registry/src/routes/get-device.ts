import { entityTag, route } from '@engawa/http';
import { z } from 'zod';
import { deviceId } from '@engawa/model';
import { showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { allowedDevice } from '../devices/allowed-device.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';

export const getDevice = ({ devices }: { devices: DeviceStore }): Route =>
  route({
    method: 'get',
    path: '/v1/devices/{id}',
    operationId: 'getDevice',
    summary: 'A device by its id',
    tags: ['devices'],
    params: z.strictObject({ id: deviceId }),
    hasEntityTag: true,
    responses: {
      200: {
        description:
          'The device. Its ETag has its version, its creation time and a hash of the body.',
        schema: wholeDevice,
      },
    },
    problems: ['device-not-found'],
    filtersByPlace: true,
    handle: async ({ params, places, signal }) => {
      const device = allowedDevice(await devices.get(params.id, signal), places);
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
