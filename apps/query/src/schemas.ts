import { deviceKinds } from '@engawa/model';
import { z } from 'zod';
import type { Device, Reading } from '@engawa/model';
import type { Latest } from './latest/latest-of-device.ts';

/** A device in a response with its readings. */
export const deviceOutput = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(deviceKinds),
  status: z
    .enum(['active', 'pending'])
    .describe('`pending`: the readings of the device are hidden until the device is approved.'),
  lastSeenAt: z.iso
    .datetime()
    .describe('When the device last sent a message; updated at least once an hour.'),
});

export const readingOutput = z.strictObject({
  time: z.iso.datetime(),
  fields: z
    .record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()]))
    .describe('Values by field name, as reported. Numbers keep all digits.'),
});

/** A reading in a response with several devices. */
export const deviceReadingOutput = z.strictObject({
  device: z.string(),
  ...readingOutput.shape,
});

export const latestOutput = z.strictObject({
  device: deviceOutput,
  readings: z.array(readingOutput).describe('Newest first.'),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'Present, and true, if the device may have further readings: so many of its newest readings have expired, or its readings are so large, that more would exceed the limits of one request. List the readings of the device page by page instead.',
    ),
});

export function showDevice({ id, name, kind, status, lastSeenAt }: Device) {
  return { id, name, kind, status, lastSeenAt: new Date(lastSeenAt) };
}

export function showReading({ time, fields }: Reading) {
  // A text: JSON.stringify takes twice as long for a Date.
  return { time: new Date(time).toISOString(), fields };
}

export function showLatest({ device, readings, isIncomplete }: Latest) {
  return {
    device: showDevice(device),
    readings: readings.map(showReading),
    ...(isIncomplete && { incomplete: true as const }),
  };
}
