import { ifMatchRevision, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { changeAllowedDevice } from '../devices/allowed-device.ts';
import { expectAllowedDeletion } from '../devices/restricted-changes.ts';
import { allowedStays } from '../placements/allowed-stays.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';
import type { Deletions } from '../purges/deletions.ts';

export interface DeleteDeviceOptions {
  devices: DeviceStore;
  placements: PlacementStore;
  deletions: Deletions;
}

export const deleteDevice = ({ devices, placements, deletions }: DeleteDeviceOptions): Route =>
  route({
    method: 'delete',
    path: '/v1/devices/{id}',
    operationId: 'deleteDevice',
    summary: 'Delete a device with its readings and its history',
    description:
      'The device is deleted at once; its data is purged soon after. Newer readings are kept: with automatic registration, a device that continues to send is registered again, without its former data. A token that is restricted to places cannot delete a device that was at other places.',
    tags: ['devices'],
    scope: 'admin',
    params: z.strictObject({ id: deviceId }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [
      'device-not-found',
      'beyond-places',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, places, budget, signal }) => {
      const asked = { id, places, revision: headers['if-match'] };
      await changeAllowedDevice(devices, asked, async (revision, restricted) => {
        if (restricted !== undefined) {
          const history = { placements, device: restricted, places, budget, signal };
          await expectAllowedDeletion(restricted.device, () => allowedStays(history));
        }
        await deletions.device({ id, revision });
      });
      return { status: 204 };
    },
  });
