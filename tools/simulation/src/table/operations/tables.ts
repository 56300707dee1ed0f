import {
  Refusal,
  booleanOf,
  invalid,
  objectOf,
  parseDefinitions,
  parseIndex,
  textOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { immediate, tableOf } from './operation.ts';
import type { Document } from '@engawa/dynamodb-simulator/rules';
import type { TableData } from '../table-data.ts';
import type { OperationContext, Prepared } from './operation.ts';

/** Creates the table at once: its status is never CREATING. */
export function createTable(context: OperationContext, input: Document): Prepared {
  checkFields('CreateTable', input, [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'GlobalSecondaryIndexes',
    'BillingMode',
    'ProvisionedThroughput',
  ]);
  const name = textOf(input, 'TableName') ?? '';
  if (context.tables.has(name)) {
    throw new Refusal('ResourceInUseException', `Table already exists: ${name}`);
  }
  return immediate(() => {
    const table = context.createTable(input);
    context.tables.set(name, table);
    return { TableDescription: describe(table) };
  });
}

export function describeTable(context: OperationContext, input: Document): Prepared {
  checkFields('DescribeTable', input, ['TableName']);
  const table = tableOf(context, textOf(input, 'TableName'));
  return immediate(() => ({ Table: describe(table) }));
}

/** Adds indexes, which are filled at once. Other changes of a table are not supported. */
export function updateTable(context: OperationContext, input: Document): Prepared {
  checkFields('UpdateTable', input, [
    'TableName',
    'AttributeDefinitions',
    'GlobalSecondaryIndexUpdates',
  ]);
  const table = tableOf(context, textOf(input, 'TableName'));
  const updates = (input['GlobalSecondaryIndexUpdates'] ?? []) as Document[];
  const indexes = updates.map((update) => {
    checkFields('GlobalSecondaryIndexUpdates', update, ['Create']);
    const types = parseDefinitions(input);
    return parseIndex(objectOf(update, 'Create'), table.schema, types);
  });
  for (const { name } of indexes) {
    if (!table.schema.indexes.some((index) => index.name === name)) continue;
    throw invalid(`Attempting to create an index which already exists: ${name}`);
  }
  return immediate(() => {
    for (const index of indexes) table.addIndex(index);
    return { TableDescription: describe(table) };
  });
}

export function describeTimeToLive(context: OperationContext, input: Document): Prepared {
  checkFields('DescribeTimeToLive', input, ['TableName']);
  const { ttlAttribute: AttributeName } = tableOf(context, textOf(input, 'TableName'));
  const TimeToLiveDescription =
    AttributeName === undefined
      ? { TimeToLiveStatus: 'DISABLED' }
      : { TimeToLiveStatus: 'ENABLED', AttributeName };
  return immediate(() => ({ TimeToLiveDescription }));
}

export function updateTimeToLive(context: OperationContext, input: Document): Prepared {
  checkFields('UpdateTimeToLive', input, ['TableName', 'TimeToLiveSpecification']);
  const table = tableOf(context, textOf(input, 'TableName'));
  const specification = objectOf(input, 'TimeToLiveSpecification');
  const isOn = booleanOf(specification, 'Enabled', false);
  const attribute = textOf(specification, 'AttributeName') ?? '';
  if (isOn === (table.ttlAttribute !== undefined)) {
    throw invalid(
      isOn && table.ttlAttribute !== attribute
        ? 'TimeToLive is active on a different AttributeName'
        : `TimeToLive is already ${isOn ? 'enabled' : 'disabled'}`,
    );
  }
  return immediate(() => {
    table.setTimeToLive(isOn ? attribute : undefined, context.now);
    return { TimeToLiveSpecification: specification };
  });
}

function describe({ name, definition, createdAt, schema }: TableData): Document {
  const { KeySchema, AttributeDefinitions, BillingMode, ProvisionedThroughput } = definition;
  const GlobalSecondaryIndexes = schema.indexes.map((index) => ({
    ...index.definition,
    IndexStatus: 'ACTIVE',
    IndexArn: index.arn,
  }));
  return {
    ...{
      TableName: name,
      TableArn: schema.arn,
      TableStatus: 'ACTIVE',
      KeySchema,
      AttributeDefinitions,
    },
    CreationDateTime: createdAt / 1000,
    BillingModeSummary: { BillingMode: BillingMode ?? 'PROVISIONED' },
    ProvisionedThroughput: ProvisionedThroughput ?? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
    ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
  };
}
