import { tableFamilies } from '@engawa/keys';
import { z } from 'zod';
import { readingOutput } from '../schemas.ts';
import { priceCodes } from './price.ts';

const kinds = [...new Set(tableFamilies.flatMap(({ kinds }) => kinds))];

export const itemKind = z.enum(kinds);

/** Stable: clients translate the meaning of a family by its name (docs/adr/0090-codes-beside-texts.md). */
export const familyName = z.enum(tableFamilies.map(({ name }) => name)).meta({ id: 'KeyFamily' });

const keyOutput = z
  .strictObject({
    pk: z.string(),
    sk: z.string(),
    gsi1pk: z.string().optional(),
    gsi1sk: z.string().optional(),
    gsi2pk: z.string().optional(),
    gsi2sk: z.string().optional(),
  })
  .describe(
    "The key of the table and the keys of the item's indexes, as far as the index has them.",
  );

const decodedOutput = z.strictObject({
  key: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The segments of the key by their meaning; times in epoch milliseconds.'),
  readings: z
    .array(readingOutput)
    .optional()
    .describe('The readings of a block, a parked block or a correction, oldest first.'),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('All other attributes as JSON: numbers with all digits, bytes in base64.'),
  error: z.string().optional().describe('Why the item could not be decoded.'),
});

const itemOutput = z.strictObject({
  key: keyOutput,
  kind: z
    .enum([...kinds, 'unknown'])
    .describe('By the key; `unknown` for a key that no service of Engawa writes.'),
  bytes: z
    .int()
    .describe('Size as DynamoDB counts it; in an index that of the projected attributes.'),
  attributes: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('The attributes in DynamoDB\'s JSON: `{ "N": "21.5" }`; bytes in base64.'),
  decoded: decodedOutput,
});

const priceOutput = z.strictObject({
  estimatedUnits: z.number().describe('An upper bound of the read units of the page.'),
  why: z.string().describe('How the bound is computed.'),
  whyCode: z
    .strictObject({
      code: z.enum(priceCodes),
      values: z.strictObject({
        items: z.int().describe('Maximum number of items of the page.'),
        estimatedUnits: z.number(),
        usualUnits: z.number().describe('Read units of the page with 1 KB per item.'),
        maxItemBytes: z.int(),
        maxPageBytes: z.int(),
      }),
    })
    .optional()
    .describe(
      '`why` for programs, such as translations: whether the size of a page or that of its items bounds the price. Absent in responses of older versions.',
    ),
});

const projectionOutput = z.strictObject({
  isComplete: z.boolean().describe('Whether the items have all of their attributes.'),
  attributes: z.array(z.string()).optional().describe('The attributes that the index has.'),
  note: z.string().optional(),
});

const consumedOutput = z.strictObject({
  units: z.number().describe('Read units.'),
  requests: z.int().describe('Queries; 0 for a dry run.'),
  isReported: z
    .boolean()
    .describe('Whether DynamoDB reported the units; otherwise they are estimated by size.'),
});

/** The response of `GET /v1/table/items`. */
export const itemsOutput = z.strictObject({
  items: z.array(itemOutput).describe('In the order of the sort keys; none for a dry run.'),
  cursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  families: z
    .array(familyName)
    .describe('The names of the key families (`/v1/table/families`) of the partition key.'),
  projection: projectionOutput,
  price: priceOutput,
  consumed: consumedOutput,
});
