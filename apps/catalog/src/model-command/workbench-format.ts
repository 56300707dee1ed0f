import { invariant, OperatorError } from '@engawa/errors';
import { z } from 'zod';

/** A value tagged with its type, like DynamoDB's JSON. */
const taggedItem = z.record(z.string(), z.record(z.string(), z.unknown()));
export type TaggedItem = z.output<typeof taggedItem>;

const attribute = z.looseObject({
  AttributeName: z.string(),
  AttributeType: z.string().default('S'),
});

const keys = z.looseObject({ PartitionKey: attribute, SortKey: attribute.optional() });

const index = z.looseObject({ IndexName: z.string(), KeyAttributes: keys });

const facet = z.looseObject({
  FacetName: z.string(),
  KeyAttributeAlias: z
    .looseObject({ PartitionKeyAlias: z.string(), SortKeyAlias: z.string().optional() })
    .optional(),
  NonKeyAttributes: z.array(z.string()).default([]),
  TableData: z.array(taggedItem).default([]),
  DataAccess: z.looseObject({}).optional(),
});

const table = z.looseObject({
  TableName: z.string(),
  KeyAttributes: keys,
  NonKeyAttributes: z.array(attribute).default([]),
  TableFacets: z.array(facet).default([]),
  GlobalSecondaryIndexes: z.array(index).default([]),
  TableData: z.array(taggedItem).default([]),
  DataAccess: z.looseObject({}).optional(),
});

/** The parts of a NoSQL Workbench model file that are read and written here; other properties are ignored. */
const workbenchModel = z.looseObject({
  ModelName: z.string(),
  ModelMetadata: z.looseObject({ Description: z.string().optional() }).optional(),
  DataModel: z.array(table),
});

export type WorkbenchModel = z.output<typeof workbenchModel>;
export type WorkbenchTable = z.output<typeof table>;
export type WorkbenchFacet = z.output<typeof facet>;

/** @throws OperatorError naming the first invalid property */
export function readWorkbenchModel(text: string): WorkbenchModel {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`the file is not JSON: ${(error as Error).message}`);
  }
  const { success, data, error } = workbenchModel.safeParse(value);
  if (success) return data;
  const issue = invariant(error.issues[0], 'an error of a schema has an issue');
  const path = z.core.toDotPath(issue.path);
  throw new OperatorError(
    `the file is not a model of NoSQL Workbench: ${path} ${issue.message}`.trim(),
  );
}
