import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TableTarget } from './peer.ts';
import type { StoredReading } from './verdict.ts';

/** Access to the table for the peers, which take it from the environment: the engine checks no signatures. */
export const credentials = {
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
} as const;

/** The table of peers with an item per reading: a reading that is written twice replaces itself. */
export async function createPlainTable({ endpoint, tableName }: TableTarget): Promise<void> {
  const client = clientOf(endpoint);
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: 'device', KeyType: 'HASH' },
          { AttributeName: 'ts', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: 'device', AttributeType: 'S' },
          { AttributeName: 'ts', AttributeType: 'S' },
        ],
      }),
    );
  } finally {
    client.destroy();
  }
}

export async function scanPlainTable({
  endpoint,
  tableName,
}: TableTarget): Promise<StoredReading[]> {
  const client = clientOf(endpoint);
  const documents = DynamoDBDocumentClient.from(client);
  const readings: StoredReading[] = [];
  let start: Record<string, unknown> | undefined;
  try {
    do {
      const page = await documents.send(
        new ScanCommand({ TableName: tableName, ExclusiveStartKey: start }),
      );
      for (const { device, ts, ...fields } of page.Items ?? []) {
        readings.push({ device: String(device), time: Date.parse(String(ts)), fields });
      }
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
  } finally {
    client.destroy();
  }
  return readings;
}

function clientOf(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: credentials.AWS_REGION,
    credentials: {
      accessKeyId: credentials.AWS_ACCESS_KEY_ID,
      secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY,
    },
  });
}
