import { appliedRanges, correctionOperations, Decimal, UnfitNumber } from '@engawa/model';
import { z } from 'zod';
import { timeField } from '../placements/time-field.ts';
import type { Correction, CorrectionState, FieldValue, Reading } from '@engawa/model';

const maxFields = 20;
const maxReadings = 100;
const maxWhy = 500;
/** As for the readings that ingestion accepts. */
const maxNameBytes = 255;

const fieldName = z
  .string()
  .min(1)
  .refine(
    (name) => Buffer.byteLength(name) <= maxNameBytes,
    `must have at most ${maxNameBytes} bytes`,
  )
  .refine(isFieldName, 'must be a valid field name');

const fieldValue = z
  .unknown()
  .superRefine((value, context) => {
    if (value instanceof UnfitNumber) context.addIssue(`must be storable exactly: ${value.reason}`);
    else if (!isFieldValue(value))
      context.addIssue('must be a number, a text, true, false or null');
  })
  .transform((value) => value as FieldValue)
  .meta({ type: ['number', 'string', 'boolean', 'null'] });

const reading = z
  .strictObject({
    time: timeField,
    fields: z
      .record(z.string(), fieldValue)
      .refine((fields) => Object.keys(fields).length > 0, 'must have a field')
      .refine((fields) => Object.keys(fields).every(isUsableName), 'must have valid field names')
      .describe('Values by field name. Numbers keep all digits.'),
  })
  .meta({ id: 'ReplacementReading' });

const about = {
  fields: z
    .array(fieldName)
    .min(1)
    .max(maxFields)
    .optional()
    .describe('Only these fields of the readings. By default all fields.'),
  why: z
    .string()
    .min(1)
    .max(maxWhy)
    .refine(isWellFormed, 'must be well-formed')
    .describe('The reason for the correction.'),
};

const range = {
  from: timeField.describe(
    'The beginning of the range: ISO 8601 with an offset, or epoch seconds or milliseconds.',
  ),
  to: timeField.describe('The end of the range, exclusive. At most a day in the future.'),
};

/** The body of a correction. */
export const correctionBody = z
  .discriminatedUnion('operation', [
    z.strictObject({ operation: z.literal('delete'), ...range, ...about }),
    z.strictObject({ operation: z.literal('ignore'), ...range, ...about }),
    z.strictObject({
      operation: z.literal('replace'),
      ...range,
      ...about,
      readings: z
        .array(reading)
        .min(1)
        .max(maxReadings)
        .describe(
          'The replacement readings: within the range, and only with the fields in `fields`.',
        ),
    }),
    z.strictObject({
      operation: z.literal('reset'),
      at: timeField.describe(
        'The time of a counter reset: the first reading at or after this time is the first reading after the reset.',
      ),
      ...about,
    }),
  ])
  .describe(
    '`delete` hides readings, `replace` hides readings and adds others, `ignore` excludes them from aggregates (a spike), `reset` marks a counter reset.',
  );

export type CorrectionBody = z.output<typeof correctionBody>;

export const correctionOutput = z
  .strictObject({
    id: z.string(),
    operation: z.enum(correctionOperations),
    from: z.iso.datetime().optional().describe('The beginning of the range; absent for a reset.'),
    to: z.iso.datetime().optional(),
    at: z.iso.datetime().optional().describe('The time of a reset; absent for other operations.'),
    fields: z.array(z.string()).optional().describe('Absent for all fields.'),
    readings: z
      .array(
        z.strictObject({
          time: z.iso.datetime(),
          fields: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
        }),
      )
      .optional()
      .describe('The replacement readings of a `replace`.'),
    appliesTo: z
      .array(z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() }))
      .optional()
      .describe(
        'The parts of the range in which the correction applies, for a token that is restricted to places: the device was at one of them. Empty where a later move leaves none. Absent where the correction applies to its whole range.',
      ),
    why: z.string(),
    by: z
      .string()
      .optional()
      .describe(
        'The subject of the token of the client that created the correction; absent without authentication.',
      ),
    madeAt: z.iso.datetime(),
    undoneAt: z.iso
      .datetime()
      .optional()
      .describe('When the correction was undone; an undone correction does not apply.'),
    undoneBy: z.string().optional(),
  })
  .meta({ id: 'Correction' });

/** @param state of the device's corrections, which a correction with `within` needs */
export function showCorrection(correction: Correction, state?: CorrectionState) {
  const { id, operation, from, to, fields, readings, why, by, madeAt, undoneAt, undoneBy } =
    correction;
  const when =
    operation === 'reset' ? { at: new Date(from) } : { from: new Date(from), to: new Date(to) };
  return {
    id,
    operation,
    ...when,
    ...showApplied(correction, state),
    ...(fields !== undefined && { fields: [...fields] }),
    ...(readings !== undefined && { readings: readings.map(showReading) }),
    why,
    ...(by !== undefined && { by }),
    madeAt: new Date(madeAt),
    ...(undoneAt !== undefined && { undoneAt: new Date(undoneAt) }),
    ...(undoneBy !== undefined && { undoneBy }),
  };
}

function showApplied(correction: Correction, state: CorrectionState | undefined) {
  const ranges = appliedRanges(correction, state);
  const [first] = ranges;
  const isWhole = first?.from === correction.from && first.to === correction.to;
  if (isWhole) return {};
  return { appliesTo: ranges.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) })) };
}

function showReading({ time, fields }: Reading) {
  return { time: new Date(time), fields };
}

function isFieldValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  return value === null || value instanceof Decimal || isScalar;
}

function isFieldName(name: string): boolean {
  return name !== '__proto__' && name.isWellFormed();
}

function isUsableName(name: string): boolean {
  return name !== '' && isFieldName(name) && Buffer.byteLength(name) <= maxNameBytes;
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
