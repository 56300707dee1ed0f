import { resolveTime, timeForms, timeParameter, timeZoneParameter } from '@engawa/http';
import { unitOf } from '@engawa/model';
import { z } from 'zod';
import { fieldsParameter } from '../parameters/fields-parameter.ts';
import { shownDevice } from '../schemas.ts';
import type { FieldValue } from '@engawa/model';
import type { LatestField } from './fields-of-device.ts';

/** How far back is looked where it is not said. */
const usualDays = 1;
const dayMs = 86_400_000;

export const fieldsQuery = {
  from: timeParameter
    .optional()
    .describe(
      `Looks for readings back to this time, which is the price: ${timeForms}. By default ${24 * usualDays} hours ago.`,
    ),
  timeZone: timeZoneParameter.describe(
    'By whose clocks a date or a local time in `from` is: an IANA name such as Asia/Tokyo.',
  ),
  fields: fieldsParameter
    .optional()
    .describe(
      'Names of fields, separated by commas: gives only these, and looks no further back once it has them all.',
    ),
};

type FieldsQuery = z.output<z.ZodObject<typeof fieldsQuery>>;

const kinds = ['number', 'text', 'boolean', 'null'] as const;

const shownField = z.strictObject({
  name: z.string(),
  kind: z.enum(kinds).describe('Of the last value; `null` where that is null.'),
  unit: z.string().optional().describe('Of well-known names, such as `temperature`.'),
  value: z
    .union([z.number(), z.string(), z.boolean(), z.null()])
    .describe('The last one; a number keeps every digit.'),
  time: z.iso.datetime().describe('When it was last reported.'),
});

/** A field of a device by itself. */
export const shownOwnField = shownField.extend({
  firstSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'When it was first reported, as far as readings are kept; absent where none of the oldest 100 has it.',
    ),
});

const shownSince = z.iso
  .datetime()
  .describe('Readings from this time on were looked at: a field that is missing has none since.');

export const shownFields = z.strictObject({
  device: shownDevice,
  since: shownSince,
  fields: z.array(shownField).describe('By name, each with its last value.'),
});

export const shownOwnFields = shownFields.extend({ fields: z.array(shownOwnField) });

/** Where to look back to, in epoch milliseconds. */
export function lookBackTo({ from, timeZone }: Pick<FieldsQuery, 'from' | 'timeZone'>): number {
  const now = Date.now();
  return resolveTime(from ?? now - usualDays * dayMs, { now, timeZone }, 'query.from');
}

export function showField({ name, value, time }: LatestField) {
  const unit = unitOf(name);
  return { name, kind: kindOf(value), ...(unit && { unit }), value, time: new Date(time) };
}

function kindOf(value: FieldValue): (typeof kinds)[number] {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}
