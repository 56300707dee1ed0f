import { deviceKinds, neverSeen } from '@engawa/model';
import { z } from 'zod';
import { labels } from '../annotations/labels-schema.ts';
import { displayName } from '../display-name.ts';
import { metadata } from '../annotations/metadata-schema.ts';
import { showAnnotations, showLabels, annotationsOutput } from '../annotations/show-annotations.ts';
import type { Device } from '@engawa/model';
import type { ListedDevice } from './list-named.ts';

export const deviceName = displayName.describe('The display name.');

const deviceStatus = z
  .enum(['active', 'pending'])
  .describe('`pending`: the readings of the device are hidden until the device is approved.');

/** The properties of a device that a client may set. */
export const deviceFields = {
  name: deviceName.optional(),
  kind: z.enum(deviceKinds).optional(),
  status: deviceStatus.optional(),
  labels: labels.optional(),
  metadata: metadata.optional(),
};

/** A device in lists by name. */
const listedDevice = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(deviceKinds),
  status: deviceStatus,
  registeredAt: z.iso.datetime(),
  ...annotationsOutput,
});

const whereabouts = {
  place: z.string().optional().describe('Absent for a device without a placement.'),
  room: z.string().optional(),
};

/** A device in lists; lists by last seen have all properties. */
export const deviceInList = listedDevice.extend({
  lastSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'When the device last sent a message, accurate to an hour. Absent before its first message, and in lists by name without `place`.',
    ),
  ...whereabouts,
});

/** A device with all properties. */
export const wholeDevice = listedDevice.extend({
  lastSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'When the device last sent a message; updated at least once an hour. Absent before its first message.',
    ),
  ...whereabouts,
  since: z.iso
    .datetime()
    .optional()
    .describe('When the device was last placed, moved, or removed from a place.'),
  version: z.int().describe('Incremented by each change; a part of the ETag.'),
});

export function showListed({ id, name, kind, status, registeredAt, ...rest }: ListedDevice) {
  return { id, name, kind, status, registeredAt: new Date(registeredAt), ...showLabels(rest) };
}

export function showSeen(device: Device) {
  const { lastSeenAt, place, room } = device;
  return {
    ...showListed(device),
    ...showAnnotations(device),
    ...(lastSeenAt !== neverSeen && { lastSeenAt: new Date(lastSeenAt) }),
    ...(place !== undefined && { place }),
    ...(room !== undefined && { room }),
  };
}

export function showWhole(device: Device) {
  const { since, version } = device;
  return {
    ...showSeen(device),
    ...(since !== undefined && { since: new Date(since) }),
    version,
  };
}
