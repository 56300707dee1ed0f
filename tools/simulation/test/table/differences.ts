import { scaled } from './difference.ts';
import type { Difference } from './difference.ts';

/** All known differences. The model follows DynamoDB's documentation. */
export const differences: readonly Difference[] = [
  {
    engines: ['embedded', 'local'],
    reason: 'accepts ADD of nested attributes (API reference, UpdateItem: "only top-level")',
    model: /ADD can only be used on top-level attributes/,
  },
  {
    engines: ['embedded', 'local'],
    reason:
      'checks conditions before it rejects an update of a key attribute; embedded: accepts it in transactions',
    model: /Cannot update attribute/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts REMOVE in a missing map or list (developer guide: paths have to exist)',
    request: /REMOVE/,
    model: /ValidationError|invalid for update/,
  },
  {
    engines: ['embedded'],
    reason: 'fills a list up to a position beyond its end, and shifts positions after each removal',
    request: /^(Update|TransactWrite)Items? .*\[\d\]/,
    model: /^200/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts filters and projections of attributes that an index does not project',
    model: /does not project/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts a comparison of a path with itself',
    model: /first operand must be distinct/,
  },
  {
    engines: ['embedded'],
    reason: 'returns the key as the old item if the item did not exist',
    request: /^UpdateItem.*"ALL_OLD"/,
    only: 'items',
  },
  {
    engines: ['embedded'],
    reason:
      'adds the key to projections of TransactGetItems, or omits items without projected attributes',
    request: /^TransactGetItems.*ProjectionExpression/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'charges a read for the projection, not for the item',
    request: /^(Get|BatchGet)Item.*ProjectionExpression/,
    only: 'units',
  },
  {
    engines: ['embedded'],
    reason: 'checks the expressions of a transaction only with its items',
    request: /^TransactWriteItems/,
    model: /^ValidationException: Invalid (Update|Condition)Expression/,
  },
  {
    engines: ['embedded'],
    reason: 'checks the bounds of BETWEEN only for existing items',
    model: /BETWEEN operator requires/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts operands of types without an order, and names of unknown types',
    model: /Incorrect operand type|Invalid attribute type name/,
  },
  {
    engines: ['embedded'],
    reason:
      'stores index keys of any size, and queries with empty sort keys (see the README of dynamodb-simulator)',
    model: /Size of hashkey|Aggregated size of all range keys|cannot contain an empty string/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason:
      'accepts functions in upper case, positions that begin with 0 and names that begin with _',
    model: /Invalid function name|Syntax error/,
    engine: /^200|ConditionalCheckFailed/,
  },
  {
    engines: ['embedded'],
    reason: 'does not support size() of a literal value',
    request: /size\(:/,
    engine: /Expected attribute name/,
  },
  {
    engines: ['embedded'],
    reason: 'does not limit operators and operands (developer guide, "Quotas")',
    model: /too many oper/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts an attribute as both map and list in one update',
    model: /paths conflict/,
  },
  {
    engines: ['embedded'],
    reason: 'stores attributes without a name',
    model: /Empty attribute name/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts comparisons of sort keys with values of another type',
    model: /parameter type does not match schema type/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts two actions in one element of a batch or transaction, and applies the first',
    model: /more than one datatypes set|only contain one of/,
  },
  {
    engines: ['embedded'],
    reason: 'cancels a transaction for a key that does not match the schema',
    model: /does not match the schema/,
    engine: /^TransactionCanceledException .*ValidationError/,
  },
  {
    engines: ['embedded'],
    reason: 'accepts start keys outside of the condition',
    model: /outside query boundaries/,
  },
  {
    engines: ['local'],
    reason: 'multiplies all units of a transaction by four, instead of those of the table by two',
    request: /^TransactWriteItems/,
    units: (model) => scaled(model, { table: 2, index: 4 }),
  },
  {
    engines: ['local'],
    reason: 'charges indexes for items with only one of their key attributes',
    request: /^(Put|Update|Delete|Batch|Transact)\w*Items?.*"gsi/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges writes of items that had only one key attribute of an index',
    request: /^(Put|Update|Delete|TransactWrite)Items? /,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges two units for the deletion of a missing item in a batch',
    request: /^BatchWriteItem.*DeleteRequest/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges nothing for missing items in a batch',
    request: /^BatchGetItem/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges nothing for a Query without results',
    request: /^Query/,
    units: (model) => scaled(model, { table: 0, index: 0 }),
  },
  {
    engines: ['local'],
    reason: 'returns no LastEvaluatedKey if the last item is at the bound of the condition',
    request: /^Query.*(<=|>=|BETWEEN| = ).*"Limit"/,
    model: /^200/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'accepts index keys of the wrong type in an update',
    request: /gsi.sk|gsi.pk/,
    model: /Type mismatch for Index Key|ValidationError/,
  },
  {
    engines: ['local'],
    reason: 'accepts index keys of any size in an update',
    request: /^UpdateItem.*gsi1sk/,
    model: /Aggregated size of all range keys/,
  },
  {
    engines: ['local'],
    reason: 'accepts parentheses around operands (developer guide: only around conditions)',
    request: /\(n\) = /,
    model: /Syntax error/,
  },
  {
    engines: ['local'],
    reason: 'checks conditions before it rejects two actions on one item',
    model: /multiple operations on one item/,
    engine: /TransactionCanceledException/,
  },
  {
    engines: ['local'],
    reason:
      'rejects an invalid action on an item with ValidationException (API reference: a cancellation reason)',
    request: /^TransactWriteItems/,
    model: /^TransactionCanceledException .*ValidationError/,
    engine: /^ValidationException/,
  },
];
