import { deviceKinds, neverSeen } from '@engawa/model';
import { z } from 'zod';
import { labels } from '../annotations/labels-schema.ts';
import { displayName } from '../display-name.ts';
import { metadata } from '../annotations/metadata-schema.ts';
import { showAnnotations, showLabels, annotationsOutput } from '../annotations/show-annotations.ts';
import type { ClockAhead, Device } from '@engawa/model';
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

const clockAhead = z
  .strictObject({
    readings: z.int().describe('Number of these readings; updated at least once an hour.'),
    seconds: z.int().describe('By how many seconds the last of them were ahead.'),
    at: z.iso.datetime().describe('Receipt of the last of them.'),
  })
  .optional()
  .describe(
    'Readings whose times were ahead of their receipt by more than a minute: the clock of the device, or its time zone, is or was wrong. Absent without such readings, and in lists by name without `place`.',
  );

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
  clockAhead,
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
  clockAhead,
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
  const { lastSeenAt, clockAhead: ahead, place, room } = device;
  return {
    ...showListed(device),
    ...showAnnotations(device),
    ...(lastSeenAt !== neverSeen && { lastSeenAt: new Date(lastSeenAt) }),
    ...(ahead && { clockAhead: showClockAhead(ahead) }),
    ...(place !== undefined && { place }),
    ...(room !== undefined && { room }),
  };
}

function showClockAhead({ readings, ms, at }: ClockAhead) {
  return { readings, seconds: Math.round(ms / 1000), at: new Date(at) };
}

export function showWhole(device: Device) {
  const { since, version } = device;
  return {
    ...showSeen(device),
    ...(since !== undefined && { since: new Date(since) }),
    version,
  };
}
