import { keyNamings } from '@engawa/heat';
import { bareHttpUrl } from '@engawa/service';
import { z } from 'zod';
import { defaultPartitionLimits, maxBatchWriteBytes } from '../limits.ts';
import { capacityDetails } from '../observe/report-capacity.ts';
import { defaultRequestBytes } from '../write/key-queues.ts';
import type { TableLocation } from '../client/dynamodb-client.ts';

/** Environment variables of every process that uses the table. */
export const tableSettings = {
  TABLE_NAME: z
    .string()
    .regex(/^[\w.-]{3,255}$/, '3 to 255 characters of A-Z, a-z, 0-9, dot, dash and underscore')
    .default('engawa')
    .describe('Name of the DynamoDB table.'),
  AWS_REGION: z
    .string()
    .min(1)
    .optional()
    .describe(
      'AWS region of the table; required unless the AWS profile names it or DYNAMODB_ENDPOINT is set.',
    ),
  DYNAMODB_ENDPOINT: bareHttpUrl('http://127.0.0.1:8000')
    .optional()
    .describe(
      'URL of a DynamoDB API other than that of AWS. Requests to a plain http URL are signed with placeholder credentials unless AWS_ACCESS_KEY_ID is set.',
    ),
  DYNAMODB_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(60_000)
    .default(3000)
    .describe(
      'Timeout in milliseconds of one attempt of a DynamoDB request, which is then retried.',
    ),
  DYNAMODB_MAX_REQUEST_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .max(maxBatchWriteBytes)
    .default(defaultRequestBytes)
    .describe(
      'Maximum bytes of a request that writes a batch of items, for proxies that limit a body. An item that is larger is sent alone.',
    ),
  DYNAMODB_CONSUMED_CAPACITY: z
    .enum(capacityDetails)
    .default('indexes')
    .describe(
      'Detail of the consumed capacity that DynamoDB reports: for the table and each index (`indexes`), their sum (`total`), or nothing (`none`). Capacity that is not reported is estimated by size. Use `total` or `none` for a DynamoDB API that rejects `indexes`.',
    ),
  PARTITION_WRITE_LIMIT: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .default(defaultPartitionLimits.write)
    .describe('Limit of write units per second of one partition key; 1,000 on DynamoDB.'),
  PARTITION_READ_LIMIT: z.coerce
    .number()
    .positive()
    .max(1_000_000)
    .default(defaultPartitionLimits.read)
    .describe('Limit of read units per second of one partition key; 3,000 on DynamoDB.'),
  SHARD_GROWTH: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether this process adds shards for keys that stay hot. Existing shards stay.'),
  HOT_PARTITION_KEYS: z
    .enum(keyNamings)
    .default('shown')
    .describe(
      'How metrics, logs and /v1/hot-partitions name partition keys: unchanged (`shown`), with ids replaced by hashes keyed with CURSOR_SECRET (`hashed`), or only their family (`hidden`).',
    ),
};

export type TableConfig = z.output<z.ZodObject<typeof tableSettings>>;

/** The location of the table from the settings. */
export function tableLocation(config: TableConfig): TableLocation {
  return {
    tableName: config.TABLE_NAME,
    region: config.AWS_REGION,
    endpoint: config.DYNAMODB_ENDPOINT,
    timeoutMs: config.DYNAMODB_TIMEOUT_MS,
  };
}
