import { deadLetterReasons } from '@engawa/model';
import { z } from 'zod';
import { reasonOfCode, refusalCodes } from './refusal-texts.ts';
import type { DeadLetterReason, DetailCode } from '@engawa/model';

const values = z
  .object({
    field: z.string().optional().describe('Name of a field or metric, in quotation marks.'),
    attribute: z.string().optional(),
    message: z.string().optional().describe('A message in English, such as that of a parser.'),
    time: z.string().optional().describe('ISO 8601.'),
    bytes: z.number().optional(),
    readings: z.number().optional().describe('Number of readings.'),
    max: z.number().optional().describe('The maximum that is exceeded.'),
    kind: z.string().optional().describe('Kind of the device.'),
    alias: z.string().optional().describe('Alias of a Sparkplug metric.'),
    messageType: z.string().optional().describe('Type of a Sparkplug message.'),
    levels: z.number().optional().describe('Expected number of levels in the topic.'),
    index: z.number().optional().describe('Index of the reading; of a dead letter.'),
    more: z
      .number()
      .optional()
      .describe('Number of further readings that are refused or stored in part; of a dead letter.'),
    leftOut: z
      .number()
      .optional()
      .describe('Number of values that are left out of stored readings; of a dead letter.'),
    omittedBytes: z
      .number()
      .optional()
      .describe('Bytes of user properties that the dead letter omits.'),
  })
  .describe('The parameters of the text, as far as its code needs them.');

/** The detail of a refusal for programs. */
export const detailCode = z
  .object({ code: z.enum(refusalCodes), values })
  .meta({ id: 'DetailCode' });

const absence = 'Absent where an older version wrote the detail, or a newer one with another code.';

export const detailCodeField = detailCode
  .optional()
  .describe(`\`detail\` for programs, such as translations. ${absence}`);

/** The code as the contract lists it. @param reason that of the detail: an older version may have changed both */
export function showDetailCode(
  given: DetailCode | undefined,
  reason: DeadLetterReason,
): z.output<typeof detailCode> | undefined {
  const { data } = detailCode.safeParse(given);
  return data && reasonOfCode(data.code) === reason ? data : undefined;
}

/** Why a reading, or a whole message, is not stored. */
export const refusal = z
  .strictObject({
    index: z
      .int()
      .optional()
      .describe(
        'Index of the reading, counted from 0; absent if the refusal is about all readings.',
      ),
    reason: z.enum(deadLetterReasons),
    detail: z.string(),
    detailCode: detailCodeField,
  })
  .meta({ id: 'Refusal' });

/** Why a value of a reading is not stored, whose other values are. */
export const leftOut = refusal
  .extend({
    field: z.string().describe('Name of the field, in quotation marks; long names are truncated.'),
  })
  .meta({ id: 'LeftOut' });
