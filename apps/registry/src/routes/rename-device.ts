import { route } from '@engawa/http';
import { z } from 'zod';
import { deviceId } from '@engawa/model';
import { deviceName, showWhole, wholeDevice } from '../device-schemas.ts';
import { entityTag, ifMatch } from '../entity-tag.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../device-store.ts';

export const renameDevice = ({ devices }: { devices: DeviceStore }): Route =>
  route({
    method: 'patch',
    path: '/v1/devices/{id}',
    operationId: 'renameDevice',
    summary: 'Rename a device',
    description:
      'With If-Match only as long as nobody else has changed it; without, the last one to rename wins.',
    tags: ['devices'],
    params: z.strictObject({ id: deviceId }),
    headers: z.object({ 'if-match': ifMatch }),
    body: z.strictObject({ name: deviceName }),
    answers: {
      200: { description: 'The device as it is now, with its new ETag.', schema: wholeDevice },
    },
    problems: ['device-not-found', 'version-mismatch'],
    handle: async ({ params, headers, body }) => {
      const device = await devices.rename({ ...params, ...body, version: headers['if-match'] });
      return { status: 200, headers: { ETag: entityTag(device) }, body: showWhole(device) };
    },
  });
