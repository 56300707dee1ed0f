import { catalogTaskKey, entityKey, relationKey } from '@engawa/keys';
import { parseEntity, relationItem } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal, maxTransactionWrites } from '@engawa/table';
import { ulid } from 'ulid';
import { readCollection } from '../read/item-collection.ts';
import type { EntityName, Key } from '@engawa/keys';
import type { Entity, RelationRow } from '@engawa/model';
import type { Write } from '@engawa/table';
import type { Collection, ReadOptions } from '../read/item-collection.ts';

export const stagedWriteKind = 'WRITE';

/** The note that a staged write has been begun, for who has to end it. */
export function stagedWriteKey({ type, id }: EntityName, write: string): Key {
  return catalogTaskKey(stagedWriteKind, type, id, write);
}

/** Rows of one transaction, beside the check that nobody else has settled them. */
const rowsAtOnce = maxTransactionWrites - 1;

/** Staged rows that are cleared away at the same time. */
const clearedAtOnce = 8;

/**
 * Makes the rows of a staged write that was decided what they count for, and the entity one like any other. Any number may
 * do so at once: whoever comes last finds nothing to do.
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
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        const part = rows.slice(start, start + rowsAtOnce).map(settledRow);
        await table.transact([own, ...part]);
      }
      await finish(options, name, { write, isNothing: isPlaceholder(entity) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error; // or somebody else did it
    }
  }
  await table.delete(stagedWriteKey(name, write));
}

/**
 * Ends a staged write that nobody goes on with: settles it where it was decided, else clears away what was staged.
 * @returns which of the two
 */
export async function rollBack(
  options: ReadOptions,
  name: EntityName,
  write: string,
): Promise<'settled' | 'cleared'> {
  const { table } = options;
  // First of all, nobody can go on with it.
  await takeMark(options, name, write);
  const { entity, relations } = await readCollection(options, name, 'all');
  if (entity?.settles === write) {
    await rollForward(options, name, write);
    return 'settled';
  }
  const rows = stagedRows(relations, write);
  for (let start = 0; start < rows.length; start += clearedAtOnce) {
    const part = rows.slice(start, start + clearedAtOnce);
    await Promise.all(part.map((row) => clearRow(options, row, write)));
  }
  await table.delete(stagedWriteKey(name, write));
  return 'cleared';
}

/** The rows that this write has staged. */
function stagedRows(relations: Collection['relations'], write: string): RelationRow[] {
  return [...(relations?.values() ?? [])].filter(({ staged }) => staged?.write === write);
}

function settledRow({ from, to, at, staged }: RelationRow): Write {
  const names = staged?.relations ?? [];
  if (names.length === 0) return { delete: keyOfRow({ from, to }) };
  // Since it was looked whether something is there, which may have been deleted by now.
  const { incarnation, attributes } = staged ?? {};
  return { put: relationItem({ from, to, relations: names, at, incarnation, attributes }) };
}

async function finish(
  { table }: ReadOptions,
  name: EntityName,
  { write, isNothing }: { write: string; isNothing: boolean },
): Promise<void> {
  const key = entityKey(name);
  const onlyIf = equal('settles', write);
  if (isNothing) await table.delete(key, { onlyIf });
  else await table.update(key, { set: { writeId: ulid() }, remove: ['settles'], onlyIf });
}

/** It stands for nothing but this write; a tombstone stays. */
function isPlaceholder({ gone, incarnation }: Entity): boolean {
  return gone === true && incarnation === undefined;
}

async function takeMark({ table }: ReadOptions, name: EntityName, write: string): Promise<void> {
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
    if (!(error instanceof ConditionFailed)) throw error; // it is another's, or decided
  }
}

/** As long as it is the one that was staged: another writer may have made it anew. */
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
