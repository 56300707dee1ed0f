import { route } from '@engawa/http';
import { keyIndexes, tableFamilies } from '@engawa/keys';
import { z } from 'zod';
import { familyName, itemKind } from '../table-items/items-output.ts';
import { projectionOf } from '../table-items/projection.ts';
import type { Route } from '@engawa/http';

const familyOutput = z.strictObject({
  name: familyName,
  index: z.enum(keyIndexes),
  pk: z
    .string()
    .describe(
      'The form of the partition key: `<…>` is an id, a time or another part that differs, `<…s>…` several of them, `[…]` is absent in some keys.',
    ),
  sk: z.string().describe('The form of the sort key.'),
  kinds: z.array(itemKind).describe('The kinds of its items.'),
  meaning: z.string(),
  writtenBy: z.array(z.enum(['ingestion', 'registry', 'query', 'catalog'])),
  isComplete: z
    .boolean()
    .describe('Whether its items have all attributes; `gsi1` has only some of them.'),
});

const items = tableFamilies.map(({ kinds, writtenBy, ...family }) => ({
  ...family,
  kinds: [...kinds],
  writtenBy: [...writtenBy],
  isComplete: projectionOf(family.index).isComplete,
}));

/** The key families of the table and its indexes, without a request to DynamoDB. */
export const getTableFamilies = (): Route =>
  route({
    method: 'get',
    path: '/v1/table/families',
    operationId: 'getTableFamilies',
    summary: 'The key families of the table and its indexes',
    description:
      'The forms of all keys, with the kinds of their items and their meaning. The forms are made by the functions that build the keys. Needs no request to DynamoDB.',
    tags: ['operations'],
    responses: {
      200: {
        description: 'All families.',
        schema: z.strictObject({ items: z.array(familyOutput) }),
      },
    },
    scope: 'table',
    handle: () => ({ status: 200, body: { items } }),
  });
