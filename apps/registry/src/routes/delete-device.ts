import { ifMatchRevision, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { expectAllowedDevice } from '../devices/allowed-device.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { Deletions } from '../purges/deletions.ts';

export interface DeleteDeviceOptions {
  devices: DeviceStore;
  deletions: Deletions;
}

export const deleteDevice = ({ devices, deletions }: DeleteDeviceOptions): Route =>
  route({
    method: 'delete',
    path: '/v1/devices/{id}',
    operationId: 'deleteDevice',
    summary: 'Delete a device with its readings and its history',
    description:
      'The device is deleted at once; its data is purged soon after. Newer readings are kept: with automatic registration, a device that continues to send is registered again, without its former data.',
    tags: ['devices'],
    scope: 'admin',
    params: z.strictObject({ id: deviceId }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [
      'device-not-found',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, places }) => {
      await expectAllowedDevice(devices, id, places);
      await deletions.device({ id, revision: headers['if-match'] });
      return { status: 204 };
    },
  });
