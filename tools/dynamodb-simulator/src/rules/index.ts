export { attributeOf } from './attribute.ts';
export { chargeOf, consumedCapacities, readUnits, writeCharges } from './charge.ts';
export { canonicalNumber } from './decimal.ts';
export { cancellation, exceptionAnswer, invalid, Refusal, unreadable } from './exceptions.ts';
export { holds } from './expression/evaluate.ts';
export { createCaches } from './expression/expression-cache.ts';
export { project } from './expression/project.ts';
export { pathsOf } from './expression/resolve-update.ts';
export { HeldItems, nameOfItem } from './held-items.ts';
export { parseKey } from './item-key.ts';
export { isNamed } from './key-name.ts';
export { isObject } from './normalize.ts';
export { present } from './present.ts';
export {
  booleanOf,
  capacityDetail,
  choiceOf,
  listOf,
  objectOf,
  textOf,
} from './requests/fields.ts';
export { onlyProjectionOf } from './requests/projection.ts';
export { maxPageBytes, parseQuery } from './requests/query-request.ts';
export { startAttributes } from './requests/start-key.ts';
export { parseWrite, writeOutcome } from './requests/write-request.ts';
export { checkDefinitions, parseDefinitions, parseIndex, parseTable } from './schema.ts';
export { compareIndexed, compareStored, isSameIndexed, storedItem } from './stored-item.ts';
export { throttledTransaction, throttlingAnswer } from './throttling.ts';
export type { AttributeValue, Item } from './attribute.ts';
export type { Charge, ReadKind, Unit } from './charge.ts';
export type { CancellationReason, Document, DynamoDbResponse } from './exceptions.ts';
export type { ExpressionCaches } from './expression/expression-cache.ts';
export type { ResolvedUpdate } from './expression/resolve-update.ts';
export type { Path } from './expression/syntax.ts';
export type { ItemKey } from './item-key.ts';
export type { Projection } from './requests/projection.ts';
export type { QueryRequest } from './requests/query-request.ts';
export type { WriteKind } from './requests/write-request.ts';
export type { IndexSchema, TableSchema } from './schema.ts';
export type { IndexedItem, IndexPosition, StoredItem, TablePosition } from './stored-item.ts';
export type { LimitType, Throttle, ThrottlingException } from './throttling.ts';
