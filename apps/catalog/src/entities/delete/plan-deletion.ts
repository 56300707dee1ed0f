import { entityItem, keyOf } from '@engawa/model';
import { ulid } from 'ulid';
import { expiryRemoval } from '../items/expiry-row.ts';
import { leftOutRemoval } from '../items/left-out-row.ts';
import { textRemoval } from '../items/text-rows.ts';
import { uniqueChanges } from '../items/unique-values.ts';
import { deletionIntentItem, newDeletionIntent } from './deletion-intent.ts';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';
import type { WritePlan } from '../write/write-plan.ts';
import type { DeletionIntent } from './deletion-intent.ts';

export interface PlanDeletionOptions {
  type: EntityType;
  shards: Shards;
  /** When it is deleted (epoch milliseconds). */
  at: number;
  /** Where other entities may have relations to it: then a tombstone stays, and this record names it. */
  intent: DeletionIntent | undefined;
}

/** The writes that delete an entity with its relations and rows. */
export function planDeletion(
  { attributeRows, relations, text, leftOut, expiry }: ItemCollection,
  entity: Entity,
  { type, at, intent, shards }: PlanDeletionOptions,
): WritePlan {
  const name = { type: entity.type, id: entity.id };
  const rows: Write[] = [...attributeRows.values()].map((row) => ({ delete: keyOf(row) }));
  rows.push(...textRemoval(text, name, at, shards), ...leftOutRemoval(leftOut, name));
  rows.push(...expiryRemoval(expiry));
  if (intent !== undefined) rows.push({ put: deletionIntentItem(intent) });
  return {
    name,
    entity: undefined,
    own: intent && tombstoneOf(entity, intent),
    rows,
    relations: [...(relations?.values() ?? [])].map((before) => {
      return { to: before.to, before, names: [], isNew: false, incarnation: undefined };
    }),
    unique: uniqueChanges(type, entity, undefined),
  };
}

/** The deletion of an expired entity, with the intent record where other entities may have relations to it. */
export function planExpiry(
  before: ItemCollection,
  entity: Entity,
  {
    type,
    shards,
    isRelated,
    by,
  }: { type: EntityType; shards: Shards; isRelated: boolean; by?: string | undefined },
): { plan: WritePlan; intent: DeletionIntent | undefined } {
  const at = Math.max(Date.now(), entity.updatedAt + 1);
  const intent = isRelated ? newDeletionIntent(entity, at, by) : undefined;
  return { plan: planDeletion(before, entity, { type, at, intent, shards }), intent };
}

/** A new entity of that id takes the tombstone's incarnation; relations without it lead to the deleted entity. */
function tombstoneOf(entity: Entity, { deletion }: DeletionIntent): Document {
  const marks = { staging: undefined, settles: undefined, creation: undefined };
  return entityItem(
    { ...entity, ...marks, gone: true, incarnation: deletion, writeId: ulid() },
    { shards: 1 },
  );
}
