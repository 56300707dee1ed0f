import { deviceKinds } from '@engawa/model';
import { z } from 'zod';
import type { Device } from '@engawa/model';
import type { ListedDevice } from './device-store.ts';

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

/** A device as lists show it. */
export const listedDevice = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(deviceKinds),
  status: z.enum(['active', 'pending']).describe('Pending: somebody has to approve it.'),
  registeredAt: z.iso.datetime(),
});

/** A device whole. */
export const wholeDevice = listedDevice.extend({
  lastSeenAt: z.iso
    .datetime()
    .describe('When it was last heard of; kept up to date within an hour.'),
  version: z.int().describe('Raised by each change; the ETag holds it.'),
});

export function showListed({ id, name, kind, status, registeredAt }: ListedDevice) {
  return { id, name, kind, status, registeredAt: new Date(registeredAt) };
}

export function showWhole(device: Device) {
  const { lastSeenAt, version } = device;
  return { ...showListed(device), lastSeenAt: new Date(lastSeenAt), version };
}
