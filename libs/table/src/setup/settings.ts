import { keyNamings } from '@engawa/heat';
import { z } from 'zod';
import { defaultPartitionLimits } from '../limits.ts';
import { capacityDetails } from '../observe/report-capacity.ts';
import type { TableLocation } from '../client/dynamodb-client.ts';

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
  DYNAMODB_CONSUMED_CAPACITY: z
    .enum(capacityDetails)
    .default('indexes')
    .describe(
      'What DynamoDB is asked to report of the units that a request took: those of the table and of each index, their sum, or nothing. What is not reported is estimated by size. For a DynamoDB API that refuses to say more.',
    ),
  PARTITION_WRITE_LIMIT: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .default(defaultPartitionLimits.write)
    .describe('Write units a second that one partition key takes; DynamoDB takes 1,000.'),
  PARTITION_READ_LIMIT: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .default(defaultPartitionLimits.read)
    .describe('Read units a second that one partition key takes; DynamoDB takes 3,000.'),
  SHARD_GROWTH: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Whether this process spreads a key that stays hot over more keys; what has been spread stays so.',
    ),
  HOT_PARTITION_KEYS: z
    .enum(keyNamings)
    .default('shown')
    .describe(
      'How metrics, logs and /v1/hot-partitions name partition keys: as they are, with hashes (keyed with CURSOR_SECRET) in place of ids, or by their family alone.',
    ),
};

export type TableConfig = z.output<z.ZodObject<typeof tableSettings>>;

/** Where the table is, as these settings say. */
export function tableLocation(config: TableConfig): TableLocation {
  return {
    tableName: config.TABLE_NAME,
    region: config.AWS_REGION,
    endpoint: config.DYNAMODB_ENDPOINT,
    timeoutMs: config.DYNAMODB_TIMEOUT_MS,
  };
}
