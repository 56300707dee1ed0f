import { httpSettings } from '@engawa/http';
import { deviceKinds } from '@engawa/model';
import { mqttSettings } from '@engawa/mqtt';
import { serviceSettings } from '@engawa/service';
import { tableSettings } from '@engawa/table';
import { z } from 'zod';
import { decoderSettings } from './decoders/settings.ts';
import type { DeviceKind } from '@engawa/model';

const daysToMs = (days: number): number => days * 86_400_000;

/** A hundred years: the maximum age and retention of a reading. */
const maxDays = 36_525;
/** A year: the maximum time ahead of a reading. */
const maxAheadHours = 8784;
/** A minute: a lingering reading is not acknowledged. */
const maxLingerMs = 60_000;

/** A number for each kind of device, as `1000` or as `1000,contact=0,meter=10000`. */
type PerKind = (kind: DeviceKind) => number;

/** @param max upper bound of each number */
const perKind = (max: number) =>
  z.string().transform((text, context): PerKind => {
    const values = new Map<string, number>();
    for (const part of text.split(',')) {
      const at = part.indexOf('=');
      const [kind, value] = at === -1 ? ['', part] : [part.slice(0, at), part.slice(at + 1)];
      const known = kind === '' || deviceKinds.some((candidate) => candidate === kind);
      if (!known || !/^\d+$/.test(value) || Number(value) > max) {
        const kinds = deviceKinds.join(', ');
        context.addIssue(
          `it must be a number of at most ${max}, or "number,kind=number,…" with the kinds ${kinds}`,
        );
        return z.NEVER;
      }
      values.set(kind, Number(value));
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
      'Treatment of unknown devices: a device is registered (`auto`), registered with its readings hidden until it is approved (`pending`), or its messages become dead letters (`closed`).',
    ),
  MAX_LIVE_LISTENERS: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(1000)
    .describe(
      'Maximum number of open connections to GET /v1/live of one replica; further ones are rejected with 503. A single client may have two thirds of the maximum; several clients share it. 0 turns the live feed off.',
    ),
  LINGER_MS: perKind(maxLingerMs)
    .prefault('1000,contact=0,button=0')
    .describe(
      'Milliseconds for which a single reading may wait for others to share a block, by kind of device.',
    ),
  RETENTION_DAYS: perKind(maxDays)
    .prefault('0')
    .describe(
      'Days for which readings are kept, by kind of device; 0 keeps them without a limit. The TTL of the table deletes them, and must be enabled.',
    ),
  READING_MAX_AGE_DAYS: z.coerce
    .number()
    .positive()
    .max(maxDays)
    .default(3650)
    .transform(daysToMs)
    .describe('Maximum age of a reading in days; older readings become dead letters.'),
  READING_MAX_AHEAD_HOURS: z.coerce
    .number()
    .positive()
    .max(maxAheadHours)
    .default(24)
    .transform((hours) => hours * 3_600_000)
    .describe(
      'Maximum hours by which the time of a reading may be ahead of the clock of the service; later readings become dead letters.',
    ),
});

export type Config = z.output<typeof settings>;
