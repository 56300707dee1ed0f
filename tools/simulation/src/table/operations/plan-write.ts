import { parseWrite, textOf, writeCharges, writeOutcome } from '@engawa/dynamodb-simulator/rules';
import { tableOf } from './operation.ts';
import type {
  CancellationReason,
  Document,
  ItemKey,
  ResolvedUpdate,
  StoredItem,
  WriteKind,
} from '@engawa/dynamodb-simulator/rules';
import type { OperationContext, ItemAccess } from './operation.ts';

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

/** @param factor 2 for the units of a transaction @throws Refusal if the request is invalid for any item */
export function planWrite(
  context: OperationContext,
  kind: WriteKind,
  action: Document,
  factor: 1 | 2 = 1,
): PlannedWrite {
  const table = tableOf(context, textOf(action, 'TableName'));
  const request = parseWrite(context.expressions, table.schema, kind, action);
  const { key, update } = request;
  const before = table.find(key);
  const outcome = writeOutcome(request, before, table.salt);
  const after = 'after' in outcome ? outcome.after : before;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  const charges = writeCharges(table.schema, key.partition, [before, after], factor);
  return { kind, table, key, before, after, update, failure, charges };
}

/** Applies a planned write. */
export function commitWrite({ kind, table, key, before, after }: PlannedWrite, now: number): void {
  if (kind !== 'ConditionCheck' && before !== after) table.write(key, after, now);
}
