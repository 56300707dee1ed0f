import { attributeOf } from '../attribute.ts';
import { applyUpdate } from '../expression/apply-update.ts';
import { checkDepth } from '../expression/check-depth.ts';
import { holds } from '../expression/evaluate.ts';
import { Placeholders } from '../expression/placeholders.ts';
import { resolveCondition } from '../expression/resolve-condition.ts';
import { pathsOf, resolveUpdate } from '../expression/resolve-update.ts';
import { checkIndexKeys, keyOfItem, parseKey } from '../item-key.ts';
import { itemBytes } from '../item-size.ts';
import { normalizeItem } from '../normalize.ts';
import { invalid, Refusal } from '../exceptions.ts';
import { attributesOf } from '../schema.ts';
import { storedItem } from '../stored-item.ts';
import { choiceOf, objectOf, textOf } from './fields.ts';
import type { Item } from '../attribute.ts';
import type { ExpressionCaches } from '../expression/expression-cache.ts';
import type { ResolvedCondition } from '../expression/resolve-condition.ts';
import type { ResolvedUpdate } from '../expression/resolve-update.ts';
import type { ItemKey } from '../item-key.ts';
import type { CancellationReason, Document } from '../exceptions.ts';
import type { TableSchema } from '../schema.ts';
import type { StoredItem } from '../stored-item.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A parsed request, validated as far as possible without the existing item. */
export interface WriteRequest {
  kind: WriteKind;
  table: TableSchema;
  key: ItemKey;
  condition: ResolvedCondition | undefined;
  update: ResolvedUpdate | undefined;
  /** The item of a Put, or the key attributes of an Update. */
  item: Item;
  returnsItem: boolean;
}

/** Maximum bytes of an item (developer guide, "Quotas": item size). */
const maxItemBytes = 400 * 1024;

/** @throws Refusal if the request is invalid for any item */
export function parseWrite(
  caches: ExpressionCaches,
  table: TableSchema,
  kind: WriteKind,
  action: Document,
): WriteRequest {
  const item = kind === 'Put' ? normalizeItem(objectOf(action, 'Item')) : {};
  const { key, attributes } =
    kind === 'Put'
      ? { key: keyOfItem(table.key, item), attributes: item }
      : parseKey(table.key, action['Key']);
  if (kind === 'Put' && itemBytes(item) > maxItemBytes) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  const returned = choiceOf(
    action,
    'ReturnValuesOnConditionCheckFailure',
    ['NONE', 'ALL_OLD'],
    'NONE',
  );
  const expressions = parseExpressions(caches, kind, action);
  if (expressions.update !== undefined) checkKeyUnchanged(table, expressions.update);
  return {
    kind,
    table,
    key,
    item: attributes,
    returnsItem: returned === 'ALL_OLD',
    ...expressions,
  };
}

function parseExpressions(caches: ExpressionCaches, kind: WriteKind, action: Document) {
  const conditionText = textOf(action, 'ConditionExpression');
  const updateText = kind === 'Update' ? textOf(action, 'UpdateExpression') : undefined;
  const hasAny = conditionText !== undefined || updateText !== undefined;
  const placeholders = new Placeholders(action, hasAny);
  const update =
    updateText === undefined
      ? undefined
      : resolveUpdate(caches.updates.get('UpdateExpression', updateText), placeholders);
  const condition =
    conditionText === undefined
      ? undefined
      : resolveCondition(
          'ConditionExpression',
          caches.conditions.get('ConditionExpression', conditionText),
          placeholders,
        );
  placeholders.checkAllUsed();
  return { update, condition };
}

function checkKeyUnchanged({ key }: TableSchema, update: ResolvedUpdate): void {
  const names = attributesOf(key).map(({ name }) => name);
  for (const [name] of pathsOf(update)) {
    if (!names.includes(String(name))) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

export type WriteOutcome = { after: StoredItem | undefined } | { failure: CancellationReason };

/** @param salt as of `before` */
export function writeOutcome(
  request: WriteRequest,
  before: StoredItem | undefined,
  salt = 0,
): WriteOutcome {
  const { kind, table, condition, returnsItem, item } = request;
  try {
    // A Put's index keys do not depend on the existing item.
    if (kind === 'Put') for (const index of table.indexes) checkIndexKeys(index, item);
    if (condition !== undefined && !holds(condition, before?.item)) {
      return { failure: conditionFailed(returnsItem ? before?.item : undefined) };
    }
    return { after: afterOf(request, before, salt) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { failure: { Code: 'ValidationError', Message: error.message } };
  }
}

function conditionFailed(Item: Item | undefined): CancellationReason {
  return {
    Code: 'ConditionalCheckFailed',
    Message: 'The conditional request failed',
    ...(Item && { Item }),
  };
}

/** @throws Refusal if the update is invalid for the existing item */
function afterOf(
  request: WriteRequest,
  before: StoredItem | undefined,
  salt: number,
): StoredItem | undefined {
  const { kind, table, key, update, item } = request;
  if (kind === 'ConditionCheck') return before;
  if (kind === 'Delete') return undefined;
  if (kind === 'Put') return storedItem(table, key, item, salt);
  if (update === undefined) return before ?? storedItem(table, key, item, salt);
  const updated = applyUpdate(update, before?.item ?? item);
  for (const [name] of pathsOf(update)) checkDepth(attributeOf(updated, String(name)));
  for (const index of table.indexes) checkIndexKeys(index, updated);
  const after = storedItem(table, key, updated, salt);
  if (after.bytes <= maxItemBytes) return after;
  throw invalid('Item size to update has exceeded the maximum allowed size');
}
