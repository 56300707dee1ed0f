import { entityTag, ifMatchRevision, route } from '@engawa/http';
import { deviceId, deviceKinds } from '@engawa/model';
import { z } from 'zod';
import { labelsPatch } from '../annotations/labels-schema.ts';
import { splitPatch } from '../annotations/merge-annotations.ts';
import { metadataPatch } from '../annotations/metadata-schema.ts';
import { deviceName, showWhole, wholeDevice } from '../devices/device-schemas.ts';
import { expectAllowedDevice, allowedDevice } from '../devices/allowed-device.ts';
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
      .describe('`active` approves a pending device.'),
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
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { id }, headers, body, places }) => {
      await expectAllowedDevice(devices, id, places);
      const change = { id, ...splitPatch(body), revision: headers['if-match'] };
      const device = allowedDevice(await placements.change(change), places);
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(device)) },
        body: showWhole(device),
      };
    },
  });
