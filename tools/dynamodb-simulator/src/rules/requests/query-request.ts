import { keyTerms } from '../expression/key-condition.ts';
import { Placeholders } from '../expression/placeholders.ts';
import { resolveCondition } from '../expression/resolve-condition.ts';
import { checkKeySize, emptyKey, isEmptyKey, partitionText } from '../item-key.ts';
import { invalid } from '../exceptions.ts';
import { attributesOf } from '../schema.ts';
import { booleanOf, choiceOf, countOf, textOf } from './fields.ts';
import { conditionPaths } from './condition-paths.ts';
import { projectionOf } from './projection.ts';
import { sortRange } from './sort-range.ts';
import { parseStart } from './start-key.ts';
import type { KeyTerm } from '../expression/key-condition.ts';
import type { ResolvedCondition } from '../expression/resolve-condition.ts';
import type { Document } from '../exceptions.ts';
import type { ExpressionCaches } from '../expression/expression-cache.ts';
import type { IndexSchema, KeySchema, TableSchema } from '../schema.ts';
import type { IndexPosition } from '../stored-item.ts';
import type { Projection } from './projection.ts';
import type { SortRange } from './sort-range.ts';

/** The table or index that a Query reads. */
export interface QueryTarget {
  table: TableSchema;
  index: IndexSchema | undefined;
  /** Of the order of items with the same sort key in an index. */
  salt: number;
}

/** The part of a table or index that a Query reads. */
export interface QueryBounds {
  partition: string;
  range: SortRange;
  start: IndexPosition | undefined;
}

export interface QueryRequest extends QueryBounds {
  filter: ResolvedCondition | undefined;
  projection: Projection;
  isCount: boolean;
  isConsistent: boolean;
  isForward: boolean;
  limit: number;
}

/**
 * Bytes after which a page ends. The item that exceeds them is the page's last item (developer guide,
 * "Paginating table query results").
 */
export const maxPageBytes = 1024 * 1024;

const selections = [
  'ALL_ATTRIBUTES',
  'ALL_PROJECTED_ATTRIBUTES',
  'SPECIFIC_ATTRIBUTES',
  'COUNT',
] as const;

/** @throws Refusal */
export function parseQuery(
  expressions: ExpressionCaches,
  target: QueryTarget,
  input: Document,
): QueryRequest {
  const { table, index } = target;
  const isConsistent = booleanOf(input, 'ConsistentRead', false);
  if (isConsistent && index !== undefined) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  const { condition, filter, projection } = readExpressions(expressions, input);
  if (condition === undefined) {
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const bounds = queryBounds(target, keyTerms(condition), input['ExclusiveStartKey']);
  if (filter !== undefined) checkFilter(index?.key ?? table.key, index, filter);
  if (index !== undefined) checkCarried(index, projection);
  return {
    ...{ ...bounds, filter, projection, isConsistent },
    isCount: isCount(input, index, projection),
    isForward: booleanOf(input, 'ScanIndexForward', true),
    limit: countOf(input, 'Limit') ?? Infinity,
  };
}

/** @param terms of the key condition @throws Refusal */
export function queryBounds(
  target: QueryTarget,
  terms: readonly KeyTerm[],
  startKey: unknown,
): QueryBounds {
  const { partition, sort } = splitTerms(target.index?.key ?? target.table.key, terms);
  const range = sortRange(sort);
  const [value = {}] = partition.operands;
  const start = parseStart(startKey, { ...target, partition: value, range });
  return { partition: partitionText(value), range, start };
}

/** The resolved expressions of a Query or Scan. @throws Refusal */
export function readExpressions(expressions: ExpressionCaches, input: Document) {
  const placeholders = new Placeholders(input, true);
  const resolve = (field: string) => {
    const text = textOf(input, field);
    if (text === undefined) return undefined;
    const parsed = expressions.conditions.get(field, text);
    return resolveCondition(field, parsed, placeholders);
  };
  const condition = resolve('KeyConditionExpression');
  const filter = resolve('FilterExpression');
  const text = textOf(input, 'ProjectionExpression');
  const projection = projectionOf(expressions, text, placeholders);
  placeholders.checkAllUsed();
  return { condition, filter, projection };
}

/** @throws Refusal unless the terms are an equality of the partition key, and at most one term of the sort key */
function splitTerms(key: KeySchema, terms: readonly KeyTerm[]) {
  const named = (name: string | undefined) => terms.filter((term) => term.name === name);
  const [partition, otherPartition] = named(key.partition.name);
  const [sort, otherSort] = key.sort === undefined ? [] : named(key.sort.name);
  if (otherPartition !== undefined || otherSort !== undefined) {
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  }
  if (partition === undefined || terms.length > (sort === undefined ? 1 : 2)) {
    throw invalid('Query condition missed key schema element');
  }
  if (partition.operator !== '=') throw invalid('Query key condition not supported');
  for (const attribute of attributesOf(key)) {
    const term = attribute === key.partition ? partition : sort;
    for (const operand of term?.operands ?? []) {
      if (operand[attribute.type] === undefined) {
        throw invalid(
          'One or more parameter values were invalid: Condition parameter type does not match schema type',
        );
      }
      if (isEmptyKey(operand)) throw invalid(emptyKey(attribute.name));
      checkKeySize(key, attribute, operand);
    }
  }
  return { partition, sort };
}

function checkFilter(key: KeySchema, index: IndexSchema | undefined, filter: ResolvedCondition) {
  const keys = attributesOf(key).map(({ name }) => name);
  for (const [name] of conditionPaths(filter)) {
    if (keys.includes(String(name))) {
      throw invalid(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
    }
    if (index?.carried?.has(String(name)) === false) {
      throw invalid(
        `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter attributes: [${name}]`,
      );
    }
  }
}

/** @throws Refusal */
export function checkCarried({ name: index, carried }: IndexSchema, projection: Projection): void {
  const missing = (projection ?? []).find(([name]) => carried?.has(String(name)) === false);
  if (missing === undefined) return;
  throw invalid(
    `One or more parameter values were invalid: Global secondary index ${index} does not project [${missing[0]}]`,
  );
}

/** @throws Refusal if Select contradicts other parameters */
function isCount(input: Document, index: IndexSchema | undefined, projection: Projection): boolean {
  if (input['Select'] == null) return false;
  const select = choiceOf(input, 'Select', selections, 'ALL_ATTRIBUTES');
  if (select === 'SPECIFIC_ATTRIBUTES' && projection === undefined) {
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (select !== 'SPECIFIC_ATTRIBUTES' && projection !== undefined) {
    const what = select === 'COUNT' ? 'only the Count' : select;
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${what}`);
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && index === undefined) {
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  }
  if (select === 'ALL_ATTRIBUTES' && index?.carried !== undefined) {
    throw invalid(
      `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  return select === 'COUNT';
}
