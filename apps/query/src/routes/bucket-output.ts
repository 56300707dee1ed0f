import { z } from 'zod';
import { localTimes, widths } from '../aggregates/calendar.ts';
import { functionNames, numericFunctionsOf, stateFunctionsOf } from '../aggregates/functions.ts';
import { notesOutput } from './page-notes.ts';
import { showStates, stateColumns, statesOutput } from './state-output.ts';
import type { Column } from '@engawa/http';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type { AggregatesQuery } from './aggregates-query.ts';
import type { Subject } from './subject.ts';

const noteCodes = ['no-numbers'] as const;

const bucketOutput = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  localFrom: z.iso.datetime({ offset: true }).describe('`from` in local time of the time zone.'),
  fields: z
    .record(z.string(), z.partialRecord(z.enum(functionNames), z.number().nullable()))
    .describe(
      'Only fields that were reported; with timeWeightedMean also fields of which an earlier value lasts in the bucket, without other functions.',
    ),
  notes: z
    .array(z.strictObject({ code: z.enum(noteCodes), field: z.string() }))
    .optional()
    .describe(
      'Why a field is absent. `no-numbers`: it has values in the bucket, but none is a number (texts, true, false): how long it had each value is `fn=duration,changes`. For the requested fields; without `fields`, only in a bucket without any number. Absent without such fields, in CSV, and where the bucket comes from rollups that were stored by 0.2.0.',
    ),
  states: statesOutput,
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'Present, and true, if the bucket may lack expired readings (no rollup of their hour was computed before, or only a part of that hour is in the bucket), or if an older value that counts was not found.',
    ),
});

/** A bucket of a room or a place, with its group. */
export function bucketOutputOf({ kind }: Subject) {
  if (kind === 'device') return bucketOutput;
  const device = z.string().optional().describe('With `groupBy=device`.');
  if (kind === 'room') return z.strictObject({ device, ...bucketOutput.shape });
  const room = z
    .string()
    .nullable()
    .optional()
    .describe('With `groupBy=room`; null for readings taken in no room.');
  return z.strictObject({ device, room, ...bucketOutput.shape });
}

/** The properties of a response beside its buckets. */
export const headOutput = {
  every: z.enum(widths).describe('The width of the buckets, also if `maxPoints` has selected it.'),
  notes: notesOutput,
};

/** Returns a function that formats buckets for a response, in order of time. */
export function bucketShower({ timeZone, groupBy, fn }: AggregatesQuery) {
  const localTime = localTimes(timeZone);
  let end = { time: NaN, text: '' };
  const functions = stateFunctionsOf(fn);
  return (bucket: AggregateBucket) => {
    const { group, from, to, fields, states, withoutNumbers, isIncomplete } = bucket;
    // Texts: JSON.stringify takes twice as long for a Date. A bucket begins at the end of the one before.
    const start = from === end.time ? end.text : new Date(from).toISOString();
    if (to !== end.time) end = { time: to, text: new Date(to).toISOString() };
    return {
      ...(groupBy && { [groupBy]: group ?? null }),
      from: start,
      to: end.text,
      localFrom: localTime(from),
      fields,
      ...(states && { states: showStates(states, functions) }),
      ...(withoutNumbers.length > 0 && {
        notes: withoutNumbers.map((field) => ({ code: noteCodes[0], field })),
      }),
      ...(isIncomplete && { incomplete: true }),
    };
  };
}

/** The columns of CSV: group, time, completeness, and each function of each field; the states of a field as JSON. */
export function bucketColumns(
  fields: readonly string[],
  { fn, groupBy }: AggregatesQuery,
): Column[] {
  const group = groupBy === undefined ? [] : [groupBy];
  return [
    ...[...group, 'from', 'to', 'localFrom', 'incomplete'].map((name): Column => ({
      name,
      of: (row) => row[name],
    })),
    ...fields.flatMap((field) => [
      ...numericFunctionsOf(fn).map((name): Column => ({
        name: `${field}.${name}`,
        of: (row) => ownValue(row['fields'] as AggregateBucket['fields'], field)?.[name],
      })),
      ...stateColumns(field, stateFunctionsOf(fn)),
    ]),
  ];
}

/** A field may be named `constructor`. */
function ownValue<Value>(values: Record<string, Value>, field: string): Value | undefined {
  return Object.hasOwn(values, field) ? values[field] : undefined;
}
