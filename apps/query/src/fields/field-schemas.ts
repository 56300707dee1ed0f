import { nextCursor, resolveTime, timeForms, timeParameter, timeZoneParameter } from '@engawa/http';
import { unitOf } from '@engawa/model';
import { z } from 'zod';
import { fieldsParameter } from '../parameters/fields-parameter.ts';
import { deviceOutput } from '../schemas.ts';
import type { FieldValue } from '@engawa/model';
import type { LatestField } from './fields-of-device.ts';

/** Default of how far back to look. */
const defaultDays = 1;
const dayMs = 86_400_000;

export const fieldsQuery = {
  from: timeParameter
    .optional()
    .describe(
      `The time back to which readings are searched, which determines the cost: ${timeForms}. By default ${24 * defaultDays} hours before \`at\`.`,
    ),
  at: timeParameter
    .optional()
    .describe(
      'Returns the values as of this time: of readings with this time or an earlier one, of the devices that were there then. By default all readings, and the devices that are there now.',
    ),
  timeZone: timeZoneParameter.describe(
    'The time zone of dates and local times in `from` and `at`: an IANA name such as Asia/Tokyo.',
  ),
  fields: fieldsParameter
    .optional()
    .describe(
      'Names of fields, separated by commas: returns only these fields, and ends the search when all are found.',
    ),
};

type FieldsQuery = z.output<z.ZodObject<typeof fieldsQuery>>;

const kinds = ['number', 'text', 'boolean', 'null'] as const;

const fieldOutput = z.strictObject({
  name: z.string(),
  kind: z.enum(kinds).describe('The kind of the last value; `null` if the last value is null.'),
  unit: z
    .string()
    .optional()
    .describe('The unit, for numbers with well-known names such as `temperature`.'),
  value: z
    .union([z.number(), z.string(), z.boolean(), z.null()])
    .describe('The last value. Numbers keep all digits.'),
  time: z.iso.datetime().describe('The time of the last value.'),
});

/** A field in the response for one device. */
export const ownFieldOutput = fieldOutput.extend({
  firstSeenAt: z.iso
    .datetime()
    .optional()
    .describe(
      'The time of the oldest stored reading with the field; absent if none of the oldest 100 readings has the field.',
    ),
});

const sinceOutput = z.iso
  .datetime()
  .describe(
    'Readings from this time on were searched: a missing field has not been reported since then.',
  );

export const fieldsOutput = z.strictObject({
  device: deviceOutput,
  since: sinceOutput,
  fields: z
    .array(fieldOutput)
    .describe(
      'Sorted by name, each with its last value. Elements of a list that became shorter, and contents of a list or map that became empty, are absent; the latter is null.',
    ),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'Present, and true, if the fields exceed a page alone, which then has the first of them. List the fields of the device page by page instead.',
    ),
});

export const ownFieldsOutput = fieldsOutput
  .omit({ incomplete: true })
  .extend({ fields: z.array(ownFieldOutput), cursor: nextCursor });

/** Epoch milliseconds. */
export interface SearchedTimes {
  from: number;
  /** The last moment to search; absent for all readings. */
  at?: number | undefined;
}

/** The times to search. @throws Problem `invalid-request` for a local time that is out of range */
export function searchedTimes({
  from,
  at,
  timeZone,
}: Pick<FieldsQuery, 'from' | 'at' | 'timeZone'>): SearchedTimes {
  const zone = { now: Date.now(), timeZone };
  const end = at === undefined ? undefined : resolveTime(at, zone, 'query.at');
  const begin = from ?? (end ?? zone.now) - defaultDays * dayMs;
  return { from: resolveTime(begin, zone, 'query.from'), at: end };
}

export function showField({ name, value, time }: LatestField) {
  // A text or a switch with the name of a quantity is not one.
  const isQuantity = value === null || kindOf(value) === 'number';
  const unit = isQuantity ? unitOf(name) : undefined;
  return { name, kind: kindOf(value), ...(unit && { unit }), value, time: new Date(time) };
}

function kindOf(value: FieldValue): (typeof kinds)[number] {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
}
