import { deviceKinds, neverSeen } from '@engawa/model';
import { z } from 'zod';
import { labels } from '../annotations/labels-schema.ts';
import { metadata } from '../annotations/metadata-schema.ts';
import { showAnnotations, showLabels, shownAnnotations } from '../annotations/show-annotations.ts';
import type { Device } from '@engawa/model';
import type { ListedDevice } from './list-named.ts';

/** Characters of a device's name, and of a prefix to look for. */
export const longestName = 256;

/** What people may call a device, in Unicode normal form C. */
export const deviceName = z
  .string()
  .refine((name) => name.isWellFormed(), 'must not have half of a surrogate pair')
  .normalize('NFC')
  .min(1)
  .max(longestName)
  .regex(/^\P{Cc}*$/u, 'must not have control characters')
  .regex(/\S/u, 'must not be white space alone')
  .describe('What people call the device.');

const deviceStatus = z
  .enum(['active', 'pending'])
  .describe('Pending: its readings are hidden until it is approved.');

/** What people may say of a device. */
export const deviceFields = {
  name: deviceName.optional(),
  kind: z.enum(deviceKinds).optional(),
  status: deviceStatus.optional(),
  labels: labels.optional(),
  metadata: metadata.optional(),
};

/** A device as the list by name shows it. */
const listedDevice = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(deviceKinds),
  status: deviceStatus,
  registeredAt: z.iso.datetime(),
  ...shownAnnotations,
});

const whereabouts = {
  place: z.string().optional().describe('Absent while it is placed nowhere.'),
  room: z.string().optional(),
};

/** A device as lists show it: those by last seen know more of it. */
export const deviceInList = listedDevice.extend({
  lastSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'When it was last heard of, to the hour. Absent while it never was, and in lists by name without `place`.',
    ),
  ...whereabouts,
});

/** A device whole. */
export const wholeDevice = listedDevice.extend({
  lastSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'When it was last heard of; kept up to date within an hour. Absent while it never was.',
    ),
  ...whereabouts,
  since: z.iso.datetime().optional().describe('When it was last moved, or taken away.'),
  version: z.int().describe('Raised by each change; the ETag holds it.'),
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
