import { entityTag, ifMatchRevision, route } from '@engawa/http';
import { deviceId, deviceKinds } from '@engawa/model';
import { z } from 'zod';
import { labelsPatch } from '../annotations/labels-schema.ts';
import { splitPatch } from '../annotations/merge-annotations.ts';
import { metadataPatch } from '../annotations/metadata-schema.ts';
import { deviceName, showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { changeAllowedDevice } from '../devices/allowed-device.ts';
import { expectAllowedStatus } from '../devices/restricted-changes.ts';
import { allowedStays } from '../placements/allowed-stays.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { DeviceStore } from '../devices/device-store.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

const body = z
  .strictObject({
    name: deviceName.optional(),
    kind: z.enum(deviceKinds).optional(),
    status: z
      .enum(['active', 'pending'])
      .optional()
      .describe(
        '`active` approves a pending device. A token that is restricted to places can only approve, and only a device that was at no other place.',
      ),
    labels: labelsPatch.optional(),
    metadata: metadataPatch.optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'must have a property to change');

export interface RenameDeviceOptions {
  devices: DeviceStore;
  placements: PlacementStore;
}

export const renameDevice = ({ devices, placements }: RenameDeviceOptions): Route =>
  route({
    method: 'patch',
    path: '/v1/devices/{id}',
    operationId: 'renameDevice',
    summary: 'Rename a device, or change its kind, status, labels or metadata',
    description:
      'With If-Match, the change is rejected if the device has changed since it was read. Without If-Match, the last change wins.',
    tags: ['devices'],
    params: z.strictObject({ id: deviceId }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    body,
    exactNumbers: true,
    responses: {
      200: { description: 'The device after the change, with its new ETag.', schema: wholeDevice },
    },
    problems: [
      'device-not-found',
      'beyond-places',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, body, places, budget, signal }) => {
      const asked = { id, places, revision: headers['if-match'] };
      const device = await changeAllowedDevice(devices, asked, async (revision, restricted) => {
        if (restricted !== undefined && body.status !== undefined) {
          const history = { placements, device: restricted, places, budget, signal };
          await expectAllowedStatus(restricted.device, body.status, () => allowedStays(history));
        }
        return placements.change({ id, ...splitPatch(body), revision });
      });
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
