import { scaled } from './difference.ts';
import type { Difference } from './difference.ts';

/** Every difference that is known. Documentation decides who is right. */
export const differences: readonly Difference[] = [
  {
    engines: ['embedded', 'local'],
    reason: 'takes ADD of nested attributes (API reference, UpdateItem: "only top-level")',
    model: /ADD can only be used on top-level attributes/,
  },
  {
    engines: ['embedded', 'local'],
    reason:
      'looks at conditions before it refuses to update a key attribute; embedded: takes it in transactions',
    model: /Cannot update attribute/,
  },
  {
    engines: ['embedded'],
    reason: 'removes from a map or list that is not there (developer guide: paths have to exist)',
    request: /REMOVE/,
    model: /ValidationError|invalid for update/,
  },
  {
    engines: ['embedded'],
    reason: 'fills a list up to a position behind its end, and removes by positions that move',
    request: /^(Update|TransactWrite)Items? .*\[\d\]/,
    model: /^200/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'looks in an index for attributes that are not in it',
    model: /does not project/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'compares a path with itself',
    model: /first operand must be distinct/,
  },
  {
    engines: ['embedded'],
    reason: 'returns the key as the old item where there was none',
    request: /^UpdateItem.*"ALL_OLD"/,
    only: 'items',
  },
  {
    engines: ['embedded'],
    reason: 'adds the key to what TransactGetItems projects, or leaves out what has none of it',
    request: /^TransactGetItems.*ProjectionExpression/,
    engine: /^200/,
  },
  {
    engines: ['embedded'],
    reason: 'charges a read for what it projects, not for the item',
    request: /^(Get|BatchGet)Item.*ProjectionExpression/,
    only: 'units',
  },
  {
    engines: ['embedded'],
    reason: 'does not double the units of indexes in a transaction',
    request: /^TransactWriteItems/,
    units: (model) => scaled(model, { table: 1, index: 0.5 }),
  },
  {
    engines: ['embedded'],
    reason: 'checks the expressions of a transaction only with its items',
    request: /^TransactWriteItems/,
    model: /^ValidationException: Invalid (Update|Condition)Expression/,
  },
  {
    engines: ['embedded'],
    reason: 'checks the bounds of BETWEEN only for an item',
    model: /BETWEEN operator requires/,
  },
  {
    engines: ['embedded'],
    reason: 'takes operands of types that have no order, and names of types that there are not',
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
    reason: 'knows functions in any case, positions that begin with 0 and names that begin with _',
    model: /Invalid function name|Syntax error/,
    engine: /^200|ConditionalCheckFailed/,
  },
  {
    engines: ['embedded'],
    reason: 'has no size of a value',
    request: /size\(:/,
    engine: /Expected attribute name/,
  },
  {
    engines: ['embedded'],
    reason: 'has no limits of operators and operands (developer guide, "Quotas")',
    model: /too many oper/,
  },
  {
    engines: ['embedded'],
    reason: 'takes one attribute for a map and for a list in one update',
    model: /paths conflict/,
  },
  {
    engines: ['embedded'],
    reason: 'stores attributes without a name',
    model: /Empty attribute name/,
  },
  {
    engines: ['embedded'],
    reason: 'compares sort keys with values of another type',
    model: /parameter type does not match schema type/,
  },
  {
    engines: ['embedded'],
    reason: 'takes the first of two actions on one element of a batch or transaction',
    model: /more than one datatypes set|only contain one of/,
  },
  {
    engines: ['embedded'],
    reason: 'cancels a transaction for a key that does not fit the table',
    model: /does not match the schema/,
    engine: /^TransactionCanceledException .*ValidationError/,
  },
  {
    engines: ['embedded'],
    reason: 'takes start keys outside of the condition',
    model: /outside query boundaries/,
  },
  {
    engines: ['local'],
    reason: 'doubles units in a transaction twice',
    request: /^TransactWriteItems/,
    units: (model) => scaled(model, { table: 2, index: 2 }),
  },
  {
    engines: ['local'],
    reason: 'charges indexes for items that have one of their key attributes only',
    request: /^(Put|Update|Delete|Batch|Transact)\w*Items?.*"gsi/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges writes of items that were in an index with one of their key attributes only',
    request: /^(Put|Update|Delete|TransactWrite)Items? /,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges two units for the deletion of what is not there in a batch',
    request: /^BatchWriteItem.*DeleteRequest/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges nothing for what is not there in a batch',
    request: /^BatchGetItem/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'charges nothing for a Query that finds nothing',
    request: /^Query/,
    units: (model) => scaled(model, { table: 0, index: 0 }),
  },
  {
    engines: ['local'],
    reason: 'gives no key for a next page where the last item is the bound of the condition',
    request: /^Query.*(<=|>=|BETWEEN| = ).*"Limit"/,
    model: /^200/,
    only: 'units',
  },
  {
    engines: ['local'],
    reason: 'takes index keys of the wrong type from an update',
    request: /gsi.sk|gsi.pk/,
    model: /Type mismatch for Index Key|ValidationError/,
  },
  {
    engines: ['local'],
    reason: 'stores index keys of any size from an update',
    request: /^UpdateItem.*gsi1sk/,
    model: /Aggregated size of all range keys/,
  },
  {
    engines: ['local'],
    reason: 'takes parentheses around operands (developer guide: only around conditions)',
    request: /\(n\) = /,
    model: /Syntax error/,
  },
  {
    engines: ['local'],
    reason: 'looks at conditions before it refuses two actions on one item',
    model: /multiple operations on one item/,
    engine: /TransactionCanceledException/,
  },
  {
    engines: ['local'],
    reason:
      'answers what does not fit an item with ValidationException (API reference: a reason of cancellation)',
    request: /^TransactWriteItems/,
    model: /^TransactionCanceledException .*ValidationError/,
    engine: /^ValidationException/,
  },
];
