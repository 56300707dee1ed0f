import { z } from 'zod';
import { maxFields, maxMessages, maxTextLength } from './mapping-limits.ts';

const text = z.string().min(1).max(maxTextLength);
const scalar = z.union([z.string().max(maxTextLength), z.number(), z.boolean(), z.null()]);

const path = text.describe(
  'Names separated by dots, each a name of an object or the index of an array; `*` is any of them. `"a.b"` is a name with a dot. `$` is the whole value, and a path that begins with `/` starts at the payload, not at the element of `each`.',
);

const template = text.describe(
  'A text with `{name}` for a level of the topic, `{key}` for the name that the last `*` of the path stands for, or `{.path}` for a value beside it.',
);

const field = z
  .strictObject({
    from: path,
    name: template.optional().describe('By default the last name of the path.'),
    scale: z.number().optional().describe('The value is multiplied by it, exactly.'),
    number: z
      .union([
        z.literal(true),
        z.strictObject({
          decimal: z
            .enum(['.', ','])
            .optional()
            .describe('The decimal separator; a point by default.'),
          suffix: text.optional().describe('A unit after the number, which is removed.'),
        }),
      ])
      .optional()
      .describe(
        'The value is a number written as a text. A text that is no such number stays a text.',
      ),
    values: z
      .record(z.string(), scalar)
      .optional()
      .describe('What these texts become; other values do not change.'),
    none: z.array(scalar).optional().describe('Values that mean that there is no value.'),
    unit: text.optional().describe('The unit of the result, for the documentation.'),
  })
  .describe('A value of the payload that becomes a field.');

const message = z
  .strictObject({
    topic: text.describe(
      'The topic, with `{name}` for a level that varies, and `{name...}` at the end for any number of levels.',
    ),
    ignore: z.literal(true).optional().describe('These messages contain no reading.'),
    payload: z
      .enum(['json', 'text'])
      .default('json')
      .describe('`json` is JSON or CBOR; `text` is one value, as it is written.'),
    compression: z
      .literal('gzip')
      .optional()
      .describe('How the payload is compressed; not at all by default.'),
    requires: z
      .array(path)
      .max(maxFields)
      .default([])
      .describe(
        'Values that the payload must have. Without one of them, the next entry with this topic is used; without another entry, the next decoder on a default topic, and none on a configured topic.',
      ),
    each: path.optional().describe('Each value at this path is a reading of its own.'),
    device: template
      .optional()
      .describe('The id of the device. Required unless the message is ignored.'),
    time: z
      .strictObject({
        from: path,
        format: z
          .enum(['iso', 'seconds', 'milliseconds', 'microseconds', 'nanoseconds', 'local'])
          .default('iso')
          .describe(
            '`iso` is ISO 8601 with an offset, or epoch seconds or milliseconds; `local` is ISO 8601 without an offset, in `zone`.',
          ),
        zone: text.optional().describe('IANA name of a time zone, such as Asia/Tokyo.'),
      })
      .optional()
      .describe('By default the time of receipt.'),
    fields: z.array(field).max(maxFields).default([]),
    others: z
      .enum(['keep', 'drop'])
      .default('keep')
      .describe('What happens with values that no field names.'),
    omit: z.array(path).max(maxFields).default([]).describe('Values that are not kept.'),
  })
  .describe('How messages of a topic are read.');

const example = z.strictObject({
  topic: text,
  payload: z.string(),
  readings: z.array(
    z.strictObject({
      device: z.string(),
      time: z.string().optional(),
      fields: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** Describes the messages of a brand or program: which device, time and fields they have. No code. */
export const mappingDocument = z.strictObject({
  $schema: z.string().optional(),
  mapping: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .describe('The name of the mapping: lower-case letters, digits and hyphens.'),
  description: text.optional(),
  source: z.array(z.url()).optional().describe('Where the format is documented.'),
  messages: z
    .array(message)
    .min(1)
    .max(maxMessages)
    .describe('The first whose topic matches is used.'),
  examples: z.array(example).default([]).describe('Messages, and the readings that they become.'),
});

export type MappingDocument = z.output<typeof mappingDocument>;
export type MessageRule = MappingDocument['messages'][number];
export type FieldRule = MessageRule['fields'][number];

/** The JSON Schema of a mapping. */
export function mappingSchema(): object {
  return { title: 'Mapping of Engawa', ...z.toJSONSchema(mappingDocument, { io: 'input' }) };
}
