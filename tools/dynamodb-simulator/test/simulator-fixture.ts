import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { openDynamoDb } from '@engawa/testing';
import { Simulator } from '../src/index.ts';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TestDynamoDb } from '@engawa/testing';
import type { SimulatorOptions } from '../src/index.ts';

/** The simulator in front of a real engine, with an AWS SDK client that does not retry. */
export class SimulatorFixture {
  readonly simulator: Simulator;
  readonly client: DynamoDBClient;
  readonly tableName: string;
  readonly #engine: TestDynamoDb;

  static async open(options: Omit<SimulatorOptions, 'upstream'> = {}): Promise<SimulatorFixture> {
    const engine = await openDynamoDb({});
    const simulator = await Simulator.start({ ...options, upstream: engine.endpoint });
    const fixture = new SimulatorFixture(simulator, engine);
    await createThings(fixture.client, fixture.tableName);
    return fixture;
  }

  private constructor(simulator: Simulator, engine: TestDynamoDb) {
    this.simulator = simulator;
    this.client = clientOf(simulator.endpoint);
    this.tableName = engine.tableNamed('things');
    this.#engine = engine;
  }

  put(item: Record<string, AttributeValue>) {
    const input = {
      TableName: this.tableName,
      Item: item,
      ReturnConsumedCapacity: 'INDEXES' as const,
    };
    return this.client.send(new PutItemCommand(input));
  }

  batch(items: readonly Record<string, AttributeValue>[]) {
    return this.client.send(
      new BatchWriteItemCommand({
        RequestItems: { [this.tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
        ReturnConsumedCapacity: 'INDEXES',
      }),
    );
  }

  async close(): Promise<void> {
    this.client.destroy();
    await this.simulator.close();
    await this.#engine.close();
  }
}

/** A table with an index whose projection is small. */
export async function createThings(client: DynamoDBClient, TableName: string): Promise<void> {
  const attributes = ['pk', 'sk', 'board', 'rank'];
  const key = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName,
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

/** The error of a request that must fail. */
export async function failureOf(request: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await request;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('the request did not fail');
}
