import { httpSettings } from '@engawa/http';
import { deviceKinds } from '@engawa/model';
import { mqttSettings } from '@engawa/mqtt';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';
import { decoderSettings } from './decoders/settings.ts';
import type { DeviceKind } from '@engawa/model';

const daysToMs = (days: number): number => days * 86_400_000;

/** A hundred years: no reading is older, and none is kept for longer. */
const maxDays = 36_525;
/** A year, for what plans ahead. */
const maxAheadHours = 8784;
/** A minute: a reading that waits for others is not acknowledged meanwhile. */
const maxLingerMs = 60_000;

/** A number for every kind of device, as `1000` or as `1000,contact=0,meter=10000`. */
type PerKind = (kind: DeviceKind) => number;

/** @param most of each number */
const perKind = (max: number) =>
  z.string().transform((text, context): PerKind => {
    const values = new Map<string, number>();
    for (const part of text.split(',')) {
      const [kind, value] = part.includes('=') ? part.split('=', 2) : ['', part];
      const known = kind === '' || deviceKinds.some((candidate) => candidate === kind);
      if (!known || !/^\d+$/.test(value ?? '') || Number(value) > max) {
        const kinds = deviceKinds.join(', ');
        context.addIssue(
          `it must be a number of at most ${max}, or "number,kind=number,…" with the kinds ${kinds}`,
        );
        return z.NEVER;
      }
      values.set(kind ?? '', Number(value));
    }
    return (kind) => values.get(kind) ?? values.get('') ?? 0;
  });

export const settings = z.object({
  ...serviceSettings,
  ...httpSettings,
  ...mqttSettings,
  ...tableSettings,
  ...decoderSettings,
  DEVICE_ADMISSION: z
    .enum(['auto', 'pending', 'closed'])
    .default('auto')
    .describe(
      'What becomes of a device never seen before: registered, registered with its readings hidden until it is approved (`pending`), or its messages dead-lettered.',
    ),
  LINGER_MS: perKind(maxLingerMs)
    .prefault('1000,contact=0,button=0')
    .describe('How long a single reading may wait for others to share a block, by kind of device.'),
  RETENTION_DAYS: perKind(maxDays)
    .prefault('0')
    .describe('How long readings are kept, by kind of device; 0 keeps them for ever.'),
  READING_MAX_AGE_DAYS: z.coerce
    .number()
    .positive()
    .max(maxDays)
    .default(3650)
    .transform(daysToMs)
    .describe('How far the time of a reading may lie back; older ones become dead letters.'),
  READING_MAX_AHEAD_HOURS: z.coerce
    .number()
    .positive()
    .max(maxAheadHours)
    .default(24)
    .transform((hours) => hours * 3_600_000)
    .describe('How far the time of a reading may lie ahead; later ones become dead letters.'),
});

export type Config = z.output<typeof settings>;
