import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '@engawa/embedded';
import { Simulator } from '../src/index.ts';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { SimulatorOptions } from '../src/index.ts';

export const tableName = 'things';

/** The simulator in front of a real engine, and the AWS SDK in front of it: one attempt a request. */
export class SimulatorFixture {
  readonly simulator: Simulator;
  readonly client: DynamoDBClient;
  readonly #close: () => Promise<void>;

  static async open(options: Omit<SimulatorOptions, 'upstream'> = {}): Promise<SimulatorFixture> {
    const engine = await startDynamoDb();
    const simulator = await Simulator.start({ ...options, upstream: engine.endpoint });
    const fixture = new SimulatorFixture(simulator, () => engine.close());
    await fixture.#createTable();
    return fixture;
  }

  private constructor(simulator: Simulator, closeEngine: () => Promise<void>) {
    this.simulator = simulator;
    this.client = clientOf(simulator.endpoint);
    this.#close = closeEngine;
  }

  async #createTable(): Promise<void> {
    const attributes = ['pk', 'sk', 'board', 'rank'];
    const key = (partition: string, sort: string) => [
      { AttributeName: partition, KeyType: 'HASH' as const },
      { AttributeName: sort, KeyType: 'RANGE' as const },
    ];
    await this.client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributes.map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        KeySchema: key('pk', 'sk'),
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byRank',
            KeySchema: key('board', 'rank'),
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] },
          },
        ],
      }),
    );
  }

  put(item: Record<string, AttributeValue>) {
    const input = { TableName: tableName, Item: item, ReturnConsumedCapacity: 'INDEXES' as const };
    return this.client.send(new PutItemCommand(input));
  }

  batch(items: readonly Record<string, AttributeValue>[]) {
    return this.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.simulator.close();
    await this.#close();
  }
}

export function clientOf(endpoint: string, maxAttempts = 1): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'local',
    maxAttempts,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}

export function item(pk: string, sk: string, more: Record<string, AttributeValue> = {}) {
  return { pk: { S: pk }, sk: { S: sk }, ...more };
}

/** What a request that should fail fails with. */
export async function failureOf(request: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await request;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('the request did not fail');
}
