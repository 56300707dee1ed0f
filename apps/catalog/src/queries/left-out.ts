import { leftOutPartition } from '@engawa/keys';
import { parseLeftOut } from '../entities/items/left-out-row.ts';
import { z } from 'zod';
import type { Table } from '@engawa/table';

/** Entities that are named of each search and attribute. */
const maxExamples = 5;

/** Entities that are counted; of more it is said that there are at least so many. */
const maxCounted = 1000;

export const shownExample = z.strictObject({ id: z.string(), reason: z.string() });

const shared = {
  count: z.int().describe(`How many entities; ${maxCounted} stands for as many or more.`),
  examples: z.array(shownExample).describe('Some of them.'),
};

/** What is not found of the entities of a type, as it is shown. */
export const shownLeftOut = {
  leftOut: z
    .array(z.strictObject({ search: z.string(), ...shared }))
    .optional()
    .describe('Searches that some entities are not in, since a value of them cannot be in a key.'),
  unconverted: z
    .array(z.strictObject({ attribute: z.string(), ...shared }))
    .optional()
    .describe(
      'Attributes whose kind was changed, and whose former value some entities keep as `unconverted`.',
    ),
};

interface Tally {
  count: number;
  examples: { id: string; reason: string }[];
}

/** What is not found of its entities now; one Query. Empty where there is nothing to say. */
export async function readLeftOut(table: Table, type: string, signal: AbortSignal) {
  const pk = leftOutPartition(type);
  const { items } = await table.query({ index: 'gsi2', pk, limit: maxCounted, signal });
  const searches = new Map<string, Tally>();
  const attributes = new Map<string, Tally>();
  for (const { id, ...row } of items.map(parseLeftOut)) {
    for (const [search, reason] of row.searches) add(searches, search, { id, reason });
    for (const [attribute, value] of row.unconverted) {
      add(attributes, attribute, { id, reason: `is ${JSON.stringify(value)}` });
    }
  }
  const leftOut = sorted(searches).map(([search, tally]) => ({ search, ...tally }));
  const unconverted = sorted(attributes).map(([attribute, tally]) => ({ attribute, ...tally }));
  return {
    ...(leftOut.length > 0 && { leftOut }),
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
