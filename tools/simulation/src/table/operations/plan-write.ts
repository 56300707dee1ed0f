import { writeCharges } from '../charge.ts';
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
import { invalid, Refusal } from '../refusal.ts';
import { attributesOf } from '../schema.ts';
import { choiceOf, objectOf, textOf } from './fields.ts';
import { tableOf } from './operation.ts';
import type { Item } from '../attribute.ts';
import type { ResolvedCondition } from '../expression/resolve-condition.ts';
import type { ResolvedUpdate } from '../expression/resolve-update.ts';
import type { ItemKey } from '../item-key.ts';
import type { CancellationReason, Document } from '../refusal.ts';
import type { StoredItem } from '../stored-item.ts';
import type { TableData } from '../table-data.ts';
import type { OperationContext, ItemAccess } from './operation.ts';

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A planned write of one item, with its outcome. */
export interface PlannedWrite extends ItemAccess {
  kind: WriteKind;
  key: ItemKey;
  before: StoredItem | undefined;
  /** The item after the write; equal to `before` if nothing is written. */
  after: StoredItem | undefined;
  update: ResolvedUpdate | undefined;
  /** The reason of a failed write. */
  failure: CancellationReason | undefined;
}

/** A parsed request, validated as far as possible without the existing item. */
interface WriteRequest {
  kind: WriteKind;
  table: TableData;
  key: ItemKey;
  condition: ResolvedCondition | undefined;
  update: ResolvedUpdate | undefined;
  /** The item of a Put, or the key attributes of an Update. */
  item: Item;
  returnsItem: boolean;
}

/** Maximum bytes of an item (developer guide, "Quotas": item size). */
const maxItemBytes = 400 * 1024;

/** @param factor 2 for the units of a transaction @throws Refusal if the request is invalid for any item */
export function planWrite(
  context: OperationContext,
  kind: WriteKind,
  action: Document,
  factor: 1 | 2 = 1,
): PlannedWrite {
  const request = parseWrite(context, kind, action);
  const { table, key, update } = request;
  const before = table.find(key);
  const outcome = outcomeOf(request, before);
  const after = 'after' in outcome ? outcome.after : before;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  const charges = writeCharges(table, key.partition, [before, after], factor);
  return { kind, table, key, before, after, update, failure, charges };
}

function parseWrite(context: OperationContext, kind: WriteKind, action: Document): WriteRequest {
  const table = tableOf(context, textOf(action, 'TableName'));
  const item = kind === 'Put' ? normalizeItem(objectOf(action, 'Item')) : {};
  const { key, attributes } =
    kind === 'Put'
      ? { key: keyOfItem(table.schema.key, item), attributes: item }
      : parseKey(table.schema.key, action['Key']);
  if (kind === 'Put' && itemBytes(item) > maxItemBytes) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  const returned = choiceOf(
    action,
    'ReturnValuesOnConditionCheckFailure',
    ['NONE', 'ALL_OLD'],
    'NONE',
  );
  const expressions = parseExpressions(context, kind, action);
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

function parseExpressions({ expressions }: OperationContext, kind: WriteKind, action: Document) {
  const conditionText = textOf(action, 'ConditionExpression');
  const updateText = kind === 'Update' ? textOf(action, 'UpdateExpression') : undefined;
  const hasAny = conditionText !== undefined || updateText !== undefined;
  const placeholders = new Placeholders(action, hasAny);
  const update =
    updateText === undefined
      ? undefined
      : resolveUpdate(expressions.updates.get('UpdateExpression', updateText), placeholders);
  const condition =
    conditionText === undefined
      ? undefined
      : resolveCondition(
          'ConditionExpression',
          expressions.conditions.get('ConditionExpression', conditionText),
          placeholders,
        );
  placeholders.checkAllUsed();
  return { update, condition };
}

function checkKeyUnchanged({ schema }: TableData, update: ResolvedUpdate): void {
  const names = attributesOf(schema.key).map(({ name }) => name);
  for (const [name] of pathsOf(update)) {
    if (!names.includes(String(name))) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

type WriteOutcome = { after: StoredItem | undefined } | { failure: CancellationReason };

function outcomeOf(request: WriteRequest, before: StoredItem | undefined): WriteOutcome {
  const { kind, table, condition, returnsItem, item } = request;
  try {
    // A Put's index keys do not depend on the existing item.
    if (kind === 'Put') for (const index of table.schema.indexes) checkIndexKeys(index, item);
    if (condition !== undefined && !holds(condition, before?.item)) {
      return { failure: conditionFailed(returnsItem ? before?.item : undefined) };
    }
    return { after: afterOf(request, before) };
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
function afterOf(request: WriteRequest, before: StoredItem | undefined): StoredItem | undefined {
  const { kind, table, key, update, item } = request;
  if (kind === 'ConditionCheck') return before;
  if (kind === 'Delete') return undefined;
  if (kind === 'Put') return table.stored(key, item);
  if (update === undefined) return before ?? table.stored(key, item);
  const updated = applyUpdate(update, before?.item ?? item);
  for (const [name] of pathsOf(update)) checkDepth(attributeOf(updated, String(name)));
  for (const index of table.schema.indexes) checkIndexKeys(index, updated);
  const after = table.stored(key, updated);
  if (after.bytes <= maxItemBytes) return after;
  throw invalid('Item size to update has exceeded the maximum allowed size');
}

/** Applies a planned write. */
export function commitWrite({ kind, table, key, before, after }: PlannedWrite, now: number): void {
  if (kind !== 'ConditionCheck' && before !== after) table.write(key, after, now);
}
