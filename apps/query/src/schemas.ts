import { deviceKinds } from '@engawa/model';
import { z } from 'zod';
import type { Device, Reading } from '@engawa/model';
import type { Latest } from './latest/latest-of-device.ts';

/** A device beside its readings. */
export const shownDevice = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(deviceKinds),
  status: z
    .enum(['active', 'pending'])
    .describe('Pending: its readings are hidden until it is approved.'),
  lastSeenAt: z.iso
    .datetime()
    .describe('When it was last heard of; kept up to date within an hour.'),
});

export const shownReading = z.strictObject({
  time: z.iso.datetime(),
  fields: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))
    .describe('By name, as the device reported them; numbers keep every digit.'),
});

/** Where there are several devices. */
export const shownDeviceReading = z.strictObject({
  device: z.string(),
  ...shownReading.shape,
});

export const shownLatest = z.strictObject({
  device: shownDevice,
  readings: z.array(shownReading).describe('The newest first.'),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'There, and true, where the device may have more readings than these: so much of what is newest has expired that looking further would have cost more than a request may. Its readings come page by page, with a cursor.',
    ),
});

export function showDevice({ id, name, kind, status, lastSeenAt }: Device) {
  return { id, name, kind, status, lastSeenAt: new Date(lastSeenAt) };
}

export function showReading({ time, fields }: Reading) {
  return { time: new Date(time), fields };
}

export function showLatest({ device, readings, isIncomplete }: Latest) {
  return {
    device: showDevice(device),
    readings: readings.map(showReading),
    ...(isIncomplete && { incomplete: true as const }),
  };
}
