import { leftOutPartition } from '@engawa/keys';
import { parseLeftOut } from '../entities/items/left-out-row.ts';
import { z } from 'zod';
import type { Table } from '@engawa/table';

/** Example entities for each search and attribute. */
const maxExamples = 5;

/** Counting stops here; the response then has a lower bound. */
const maxCounted = 1000;

export const exampleOutput = z.strictObject({ id: z.string(), reason: z.string() });

const shared = {
  count: z.int().describe(`Number of entities; ${maxCounted} means at least so many.`),
  examples: z.array(exampleOutput).describe('Some of these entities.'),
};

/** Entities of a type that lack search rows or converted values, as a response shows them. */
export const leftOutOutput = {
  leftOut: z
    .array(z.strictObject({ search: z.string(), ...shared }))
    .optional()
    .describe(
      'Searches that lack some entities, because one of their values does not fit in an index key.',
    ),
  unindexed: z
    .array(z.strictObject({ attribute: z.string(), ...shared }))
    .optional()
    .describe(
      'Attributes of `fullText` of whose text some entities have only a part in full-text search.',
    ),
  unconverted: z
    .array(z.strictObject({ attribute: z.string(), ...shared }))
    .optional()
    .describe(
      'Attributes whose kind was changed, and whose old value some entities keep as `unconverted`.',
    ),
};

interface Tally {
  count: number;
  examples: { id: string; reason: string }[];
}

/** The entities of a type that lack search rows or converted values; one Query. Empty where there are none. */
export async function readLeftOut(table: Table, type: string, signal: AbortSignal) {
  const pk = leftOutPartition(type);
  const { items } = await table.query({ index: 'gsi2', pk, limit: maxCounted, signal });
  const searches = new Map<string, Tally>();
  const texts = new Map<string, Tally>();
  const attributes = new Map<string, Tally>();
  for (const { id, ...row } of items.map(parseLeftOut)) {
    for (const [search, reason] of row.searches) add(searches, search, { id, reason });
    for (const [attribute, reason] of row.unindexed) add(texts, attribute, { id, reason });
    for (const [attribute, value] of row.unconverted) {
      add(attributes, attribute, { id, reason: `is ${JSON.stringify(value)}` });
    }
  }
  const leftOut = sorted(searches).map(([search, tally]) => ({ search, ...tally }));
  const unindexed = sorted(texts).map(([attribute, tally]) => ({ attribute, ...tally }));
  const unconverted = sorted(attributes).map(([attribute, tally]) => ({ attribute, ...tally }));
  return {
    ...(leftOut.length > 0 && { leftOut }),
    ...(unindexed.length > 0 && { unindexed }),
    ...(unconverted.length > 0 && { unconverted }),
  };
}

function add(tallies: Map<string, Tally>, name: string, example: Tally['examples'][0]): void {
  const tally = tallies.get(name) ?? { count: 0, examples: [] };
  tally.count += 1;
  if (tally.examples.length < maxExamples) tally.examples.push(example);
  tallies.set(name, tally);
}

function sorted(tallies: ReadonlyMap<string, Tally>): [string, Tally][] {
  return [...tallies].toSorted(([left], [right]) => (left < right ? -1 : 1));
}
