import type {
  CreateTableCommandInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  Projection,
  ProvisionedThroughput,
  UpdateTableCommandInput,
} from '@aws-sdk/client-dynamodb';

/** How DynamoDB bills a table: by request, or by provisioned units a second, which each index needs as well. */
export type Billing =
  { mode: 'on-demand' } | { mode: 'provisioned'; readUnits: number; writeUnits: number };

export const indexNames = ['gsi1', 'gsi2'] as const;
export type IndexName = (typeof indexNames)[number];

export const ttlAttribute = 'ttl';

/**
 * The index of lists by name projects only attributes that rarely change, since each change of a projected attribute is
 * a charged write to it (docs/adr/0005-index-projections.md).
 */
const projections: Record<IndexName, Projection> = {
  gsi1: {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: ['id', 'name', 'kind', 'status', 'registeredAt', 'version', 'data'],
  },
  gsi2: { ProjectionType: 'ALL' },
};

/** The attributes of items that an index has, its keys included; `all` without exceptions. */
export function indexProjection(index: IndexName): readonly string[] | 'all' {
  const { NonKeyAttributes } = projections[index];
  if (NonKeyAttributes === undefined) return 'all';
  return ['pk', 'sk', `${index}pk`, `${index}sk`, ...NonKeyAttributes];
}

/** CreateTable of the whole table; time to live needs a separate request. */
export function wholeTable(TableName: string, billing: Billing): CreateTableCommandInput {
  return {
    TableName,
    ...billed(billing),
    BillingMode: billing.mode === 'provisioned' ? 'PROVISIONED' : 'PAY_PER_REQUEST',
    KeySchema: keySchema(''),
    AttributeDefinitions: attributeDefinitions('', ...indexNames),
    GlobalSecondaryIndexes: indexNames.map((name) => indexOf(name, billing)),
  };
}

/** UpdateTable that adds an index. @param billing that of the table */
export function oneIndex(
  TableName: string,
  name: IndexName,
  billing: Billing,
): UpdateTableCommandInput {
  return {
    TableName,
    AttributeDefinitions: attributeDefinitions('', name),
    GlobalSecondaryIndexUpdates: [{ Create: indexOf(name, billing) }],
  };
}

function indexOf(name: IndexName, billing: Billing): GlobalSecondaryIndex {
  return {
    IndexName: name,
    KeySchema: keySchema(name),
    Projection: projections[name],
    ...billed(billing),
  };
}

function billed(billing: Billing): { ProvisionedThroughput?: ProvisionedThroughput } {
  if (billing.mode === 'on-demand') return {};
  const { readUnits: ReadCapacityUnits, writeUnits: WriteCapacityUnits } = billing;
  return { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } };
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
