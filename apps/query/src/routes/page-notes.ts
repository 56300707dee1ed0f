import { z } from 'zod';
import { functionNames, isLevel } from '../aggregates/functions.ts';
import { similarNames } from './similar-names.ts';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type { FunctionName } from '../aggregates/functions.ts';
import type { AggregateRequest, AggregateSource } from '../aggregates/aggregate-request.ts';

const noReadings = z.strictObject({
  code: z.literal('no-readings'),
  lastReadingAt: z.iso
    .datetime()
    .optional()
    .describe('Of one device: the time of its newest reading before these buckets, if it has one.'),
});
const unknownField = z.strictObject({
  code: z.literal('unknown-field'),
  field: z.string(),
  similar: z
    .array(z.string())
    .optional()
    .describe('Similar names of fields that have readings in these buckets.'),
});

export const notesOutput = z
  .array(z.union([noReadings, unknownField]))
  .optional()
  .describe(
    'Why the buckets of this page have no values. `no-readings`: nothing was recorded. `unknown-field`: there are readings in these buckets, but none with the field: it may be misspelt. Absent in NDJSON and CSV.',
  );

type Note = z.output<typeof noReadings> | z.output<typeof unknownField>;

/** Fields that may be misspelt, to which similar names are searched. */
const maxUnknown = 10;

/**
 * The notes of a page; one Query per shard where nothing was recorded, otherwise no request.
 * @param buckets with values that are filled in from other buckets, and without given ones
 */
export async function pageNotes(
  { values }: AggregateSource,
  { groups, edges, fields, seen, budget, signal }: AggregateRequest,
  buckets: readonly AggregateBucket[],
): Promise<Note[]> {
  if (seen.size > 0) return unknownNotes(fields, seen, buckets);
  if (buckets.length === 0 || buckets.some(hasValues)) return [];
  const [period, ...others] = groups.flatMap(({ periods }) => periods);
  const before = edges[0];
  if (period === undefined || others.length > 0 || before === undefined) {
    return [{ code: 'no-readings' }];
  }
  const { device, since = period.from } = period;
  const last = await values.newest({ device, before, since, budget, signal });
  return [
    {
      code: 'no-readings',
      ...(last !== undefined && { lastReadingAt: new Date(last).toISOString() }),
    },
  ];
}

function hasValues(bucket: AggregateBucket): boolean {
  const { fields, withoutNumbers } = bucket;
  return withoutNumbers.length > 0 || hasStates(bucket) || Object.keys(fields).some(isIn(bucket));
}

function hasStates({ states }: AggregateBucket): boolean {
  return states !== undefined && states.size > 0;
}

/** Whether a bucket has a level or states of a field: an amount of a bucket without readings is filled with 0. */
function isIn({ fields, states }: AggregateBucket): (name: string) => boolean {
  return (name) => {
    const values = Object.hasOwn(fields, name) ? fields[name] : {};
    const isKnown = (each: FunctionName) => isLevel(each) && (values?.[each] ?? null) !== null;
    return states?.has(name) === true || functionNames.some(isKnown);
  };
}

function unknownNotes(
  fields: ReadonlySet<string> = new Set(),
  seen: ReadonlySet<string>,
  buckets: readonly AggregateBucket[],
): Note[] {
  const unknown = [...fields].filter(
    (name) => !seen.has(name) && !buckets.some((bucket) => isIn(bucket)(name)),
  );
  return unknown.map((field, index): Note => {
    const similar = index < maxUnknown ? similarNames(field, seen) : [];
    return { code: 'unknown-field', field, ...(similar.length > 0 && { similar }) };
  });
}
