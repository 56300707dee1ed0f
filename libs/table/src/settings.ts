import { z } from 'zod';
import type { TableLocation } from './dynamodb-client.ts';

/** The environment variables of whoever uses the table. */
export const tableSettings = {
  TABLE_NAME: z
    .string()
    .regex(/^[\w.-]{3,255}$/, '3 to 255 letters, digits, dots, dashes or underscores')
    .default('engawa')
    .describe('Name of the DynamoDB table.'),
  AWS_REGION: z
    .string()
    .min(1)
    .optional()
    .describe(
      'AWS region of the table; needed unless the AWS profile or DYNAMODB_ENDPOINT says where it is.',
    ),
  DYNAMODB_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'URL of a DynamoDB API other than that of AWS. Requests to a plain http address are signed with placeholder credentials unless AWS_ACCESS_KEY_ID is set.',
    ),
  DYNAMODB_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(3000)
    .describe(
      'Milliseconds after which an attempt of a DynamoDB request is given up; it is then tried again.',
    ),
};

/** Where the table is, as these settings say. */
export function tableLocation(config: z.output<z.ZodObject<typeof tableSettings>>): TableLocation {
  return {
    tableName: config.TABLE_NAME,
    region: config.AWS_REGION,
    endpoint: config.DYNAMODB_ENDPOINT,
    timeoutMs: config.DYNAMODB_TIMEOUT_MS,
  };
}
