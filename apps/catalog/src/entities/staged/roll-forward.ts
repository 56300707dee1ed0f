import { invariant } from '@engawa/errors';
import { catalogTaskKey, entityKey, relationKey } from '@engawa/keys';
import { parseEntity, relationItem } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, maxTransactionWrites } from '@engawa/table';
import pMap from 'p-map';
import { ulid } from 'ulid';
import { readCollection } from '../read/item-collection.ts';
import type { EntityName, Key } from '@engawa/keys';
import type { Entity, RelationRow } from '@engawa/model';
import type { Write } from '@engawa/table';
import type { ItemCollection, ReadOptions } from '../read/item-collection.ts';

export const stagedWriteKind = 'WRITE';

/** Key of the intent record of a staged write, by which another replica finds and completes it. */
export function stagedWriteKey({ type, id }: EntityName, write: string): Key {
  return catalogTaskKey(stagedWriteKind, type, id, write);
}

/** Rows of one transaction, besides the check that the write is not rolled forward yet. */
const maxRowsPerTransaction = maxTransactionWrites - 1;

/** Staged rows that are cleared away at the same time. */
const maxParallelClears = 8;

/**
 * Applies the staged rows of a committed write, and removes its mark from the entity. Idempotent,
 * also concurrently.
 */
export async function rollForward(
  options: ReadOptions,
  name: EntityName,
  write: string,
): Promise<void> {
  const { table } = options;
  const { entity, relations } = await readCollection(options, name, 'all');
  if (entity?.settles === write) {
    const rows = stagedRows(relations, write);
    const own: Write = { check: entityKey(name), onlyIf: equal('settles', write) };
    try {
      for (let start = 0; start < rows.length; start += maxRowsPerTransaction) {
        const part = rows.slice(start, start + maxRowsPerTransaction).map(committedRow);
        await table.transact([own, ...part]);
      }
      await finish(options, name, { write, isPlaceholder: isPlaceholder(entity) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // another replica completed it
    }
  }
  await table.delete(stagedWriteKey(name, write));
}

/**
 * Ends a staged write whose writer failed: rolls it forward if it was committed, else deletes its staged rows.
 * @returns which of the two
 */
export async function rollBack(
  options: ReadOptions,
  name: EntityName,
  write: string,
): Promise<'rolledForward' | 'rolledBack'> {
  const { table } = options;
  // Without the mark, its writer cannot commit any more.
  await removeMark(options, name, write);
  const { entity, relations } = await readCollection(options, name, 'all');
  if (entity?.settles === write) {
    await rollForward(options, name, write);
    return 'rolledForward';
  }
  const rows = stagedRows(relations, write);
  await pMap(rows, (row) => clearRow(options, row, write), { concurrency: maxParallelClears });
  await table.delete(stagedWriteKey(name, write));
  return 'rolledBack';
}

/** The rows staged by this write. */
function stagedRows(relations: ItemCollection['relations'], write: string): RelationRow[] {
  return [...(relations?.values() ?? [])].filter(({ staged }) => staged?.write === write);
}

function committedRow({ from, to, at, staged }: RelationRow): Write {
  const { relations: names, incarnation, attributes } = invariant(staged, 'the row is staged');
  if (names.length === 0) return { delete: keyOfRow({ from, to }) };
  // The target may have been deleted since it was checked; the incarnation tells.
  return { put: relationItem({ from, to, relations: names, at, incarnation, attributes }) };
}

async function finish(
  { table }: ReadOptions,
  name: EntityName,
  { write, isPlaceholder: isUnused }: { write: string; isPlaceholder: boolean },
): Promise<void> {
  const key = entityKey(name);
  const onlyIf = equal('settles', write);
  if (isUnused) await table.delete(key, { onlyIf });
  else await table.update(key, { set: { writeId: ulid() }, remove: ['settles'], onlyIf });
}

/** Whether the item exists only for this write; a tombstone is kept. */
function isPlaceholder({ gone, incarnation }: Entity): boolean {
  return gone === true && incarnation === undefined;
}

async function removeMark({ table }: ReadOptions, name: EntityName, write: string): Promise<void> {
  const key = entityKey(name);
  const item = await table.get(key, { consistent: true });
  if (item === undefined) return;
  const entity = parseEntity(item);
  if (entity.staging !== write) return;
  const onlyIf = allOf(equal('staging', write), absent('settles'));
  try {
    if (isPlaceholder(entity)) await table.delete(key, { onlyIf });
    else await table.update(key, { set: { writeId: ulid() }, remove: ['staging'], onlyIf });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error; // another write's mark, or committed
  }
}

/** Only while the row has the staged value of this write: another writer may have replaced it. */
async function clearRow(
  { table }: ReadOptions,
  { from, to, relations }: RelationRow,
  write: string,
): Promise<void> {
  const key = keyOfRow({ from, to });
  const onlyIf = equal(['data', 'staged', 'write'], write);
  try {
    if (relations.length === 0) await table.delete(key, { onlyIf });
    else await table.update(key, { remove: [['data', 'staged']], onlyIf });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function keyOfRow({ from, to }: { from: EntityName; to: EntityName }) {
  const { pk, sk } = relationKey(from, to);
  return { pk, sk };
}
