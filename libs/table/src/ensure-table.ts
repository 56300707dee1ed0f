import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { OperatorError } from '@engawa/errors';
import { createClients } from './dynamodb-client.ts';
import type {
  DynamoDBClient,
  KeySchemaElement,
  Projection,
  TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { TableLocation } from './dynamodb-client.ts';
import type { IndexName } from './question.ts';

export type EnsureTableOptions = TableLocation & { signal?: AbortSignal };

/** `completed`: it was there, but without an index or its time to live. */
export type EnsuredTable = 'created' | 'completed' | 'present';

/** Milliseconds between two looks at a table that DynamoDB is still working on. */
const pollInterval = 250;

const attempts = 10;
const indexes: readonly IndexName[] = ['gsi1', 'gsi2'];
const ttlAttribute = 'ttl';

/**
 * The index that lists things by name projects only what rarely changes, since each change of a projected attribute is a
 * paid write to it (docs/adr/0005-index-projections.md).
 */
const projections: Record<IndexName, Projection> = {
  gsi1: {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: ['id', 'name', 'kind', 'status', 'registeredAt', 'version', 'data'],
  },
  gsi2: { ProjectionType: 'ALL' },
};

/** What DynamoDB says when somebody else has done the same at the same time: then there is only to wait. */
const overtaken = ['ResourceInUseException', 'TableInUseException', 'LimitExceededException'];

/** One step on the way to the complete table. */
type Step = (client: DynamoDBClient, tableName: string) => Promise<unknown>;

/**
 * Makes the table, or what is missing of it: keys, two indexes and time to live, billed on demand. Resolves when all of
 * it is active; any number of these may run at once. Never changes what is there.
 * @throws OperatorError when a table or index of that name has other keys
 */
export async function ensureTable(options: EnsureTableOptions): Promise<EnsuredTable> {
  const { tableName, signal } = options;
  const [client] = createClients(options, [attempts] as const);
  let created = false;
  let completed = false;
  try {
    for (;;) {
      const table = await describe(client, tableName);
      if (table) checkKeys(tableName, table);
      const step = await nextStep(client, table);
      if (step === 'done') return created ? 'created' : completed ? 'completed' : 'present';
      if (step !== 'wait' && (await takeStep(step, client, tableName))) {
        if (step === createTable) created = true;
        else completed = true;
      }
      await delay(pollInterval, undefined, { signal });
    }
  } finally {
    client.destroy();
  }
}

async function describe(
  client: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (nameOf(error) === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function nextStep(
  client: DynamoDBClient,
  table: TableDescription | undefined,
): Promise<Step | 'wait' | 'done'> {
  if (table === undefined) return createTable;
  const { TableName, TableStatus, GlobalSecondaryIndexes = [] } = table;
  // DynamoDB makes one index at a time.
  const isBusy = GlobalSecondaryIndexes.some(({ IndexStatus }) => IndexStatus !== 'ACTIVE');
  if (TableStatus !== 'ACTIVE' || isBusy) return 'wait';
  const missing = indexes.find((name) =>
    GlobalSecondaryIndexes.every(({ IndexName }) => IndexName !== name),
  );
  if (missing !== undefined) return (...where) => addIndex(missing, ...where);
  const answer = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  const { TimeToLiveStatus: status } = answer.TimeToLiveDescription ?? {};
  if (status === 'DISABLING') return 'wait';
  return status === 'ENABLED' || status === 'ENABLING' ? 'done' : enableTimeToLive;
}

/** @returns whether it was we who did it */
async function takeStep(step: Step, client: DynamoDBClient, tableName: string): Promise<boolean> {
  try {
    await step(client, tableName);
    return true;
  } catch (error) {
    const name = nameOf(error);
    // Time to live that is on already is a mere ValidationException.
    if (overtaken.includes(name) || (step === enableTimeToLive && name === 'ValidationException')) {
      return false;
    }
    throw error;
  }
}

function createTable(client: DynamoDBClient, TableName: string): Promise<unknown> {
  return client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(''),
      AttributeDefinitions: attributeDefinitions('', ...indexes),
      GlobalSecondaryIndexes: indexes.map(indexOf),
    }),
  );
}

function addIndex(name: IndexName, client: DynamoDBClient, TableName: string): Promise<unknown> {
  return client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: attributeDefinitions('', name),
      GlobalSecondaryIndexUpdates: [{ Create: indexOf(name) }],
    }),
  );
}

function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<unknown> {
  const TimeToLiveSpecification = { AttributeName: ttlAttribute, Enabled: true };
  return client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

function indexOf(name: IndexName) {
  return { IndexName: name, KeySchema: keySchema(name), Projection: projections[name] };
}

function keySchema(prefix: IndexName | ''): KeySchemaElement[] {
  return [
    { AttributeName: `${prefix}pk`, KeyType: 'HASH' },
    { AttributeName: `${prefix}sk`, KeyType: 'RANGE' },
  ];
}

function attributeDefinitions(...prefixes: (IndexName | '')[]) {
  return prefixes
    .flatMap((prefix) => [`${prefix}pk`, `${prefix}sk`])
    .map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));
}

function checkKeys(tableName: string, table: TableDescription): void {
  const ofIndexes = (table.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, KeySchema }) => {
    const name = indexes.find((known) => known === IndexName);
    return name ? [{ what: `its index ${name}`, name, schema: KeySchema }] : [];
  });
  const schemas = [{ what: 'it', name: '' as const, schema: table.KeySchema }, ...ofIndexes];
  for (const { what, name, schema } of schemas) {
    const keys = (schema ?? []).map(({ AttributeName }) => AttributeName).join(' and ');
    if (keys !== `${name}pk and ${name}sk`) {
      throw new OperatorError(
        `table ${tableName} is not one of Engawa: ${what} has the keys ${keys}, not ${name}pk and ` +
          `${name}sk; give another name in TABLE_NAME`,
      );
    }
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
