import { z } from 'zod';
import type { Column } from '@engawa/http';
import type { FieldStates } from '../aggregates/states/field-states.ts';
import type { StateFunctionName } from '../aggregates/functions.ts';

const durationOutput = z
  .number()
  .optional()
  .describe('With `fn=duration`: seconds, to the millisecond.');
const shareOutput = z
  .number()
  .optional()
  .describe('With `fn=share`: the part of the time of which the value is known, from 0 to 1.');

const statesOfField = z.strictObject({
  changes: z
    .int()
    .optional()
    .describe('With `fn=changes`: how many times a known value was followed by a different one.'),
  values: z
    .array(
      z.strictObject({
        value: z.union([z.string(), z.number(), z.boolean()]),
        duration: durationOutput,
        share: shareOutput,
      }),
    )
    .describe('The values that lasted in the bucket, the longest first.'),
  others: z
    .strictObject({ duration: durationOutput, share: shareOutput })
    .optional()
    .describe(
      'All further values together, where the field had more than 100 in the bucket (1,000 divided by the number of `fields`, at least 10), and texts of more than 256 characters. The first ones of the bucket are in `values`.',
    ),
});

/** The property of a bucket with the results of duration, share and changes. */
export const statesOutput = z
  .record(z.string(), statesOfField)
  .optional()
  .describe('With duration, share or changes: the fields of which a value is known in the bucket.');

/** The states of a bucket as a response has them. */
export function showStates(
  states: ReadonlyMap<string, FieldStates>,
  functions: readonly StateFunctionName[],
) {
  const shown = [...states].filter(([, { knownMs, changes }]) => knownMs > 0 || changes > 0);
  return Object.fromEntries(shown.map(([name, one]) => [name, showField(one, functions)]));
}

function showField(states: FieldStates, functions: readonly StateFunctionName[]) {
  const { knownMs, otherMs, changes, durations } = states;
  const measure = (ms: number) => ({
    ...(functions.includes('duration') && { duration: ms / 1000 }),
    ...(functions.includes('share') && { share: ms / knownMs }),
  });
  return {
    ...(functions.includes('changes') && { changes }),
    values: durations.map(({ value, ms }) => ({ value, ...measure(ms) })),
    ...(otherMs > 0 && { others: measure(otherMs) }),
  };
}

type ShownStates = ReturnType<typeof showStates>;

/** The columns of CSV for the states of a field: the number of changes, and the values as JSON. */
export function stateColumns(field: string, functions: readonly StateFunctionName[]): Column[] {
  const shown = (row: Record<string, unknown>) => {
    const states = row['states'] as ShownStates;
    return Object.hasOwn(states, field) ? states[field] : undefined;
  };
  const changes: Column = { name: `${field}.changes`, of: (row) => shown(row)?.changes };
  const values: Column = {
    name: `${field}.states`,
    of: (row) => {
      const { values: known = [], others } = shown(row) ?? {};
      const all = others === undefined ? known : [...known, others];
      return all.length === 0 ? undefined : all;
    },
  };
  const hasMeasures = functions.some((name) => name !== 'changes');
  return [...(functions.includes('changes') ? [changes] : []), ...(hasMeasures ? [values] : [])];
}
