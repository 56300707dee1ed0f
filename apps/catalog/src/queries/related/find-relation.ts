import { entityKey, relationKey } from '@engawa/keys';
import { parseEntity, parseRelation } from '@engawa/model';
import { presentNames, presentLinks } from '../../migrations/present-entity.ts';
import { currentRelations } from './related-rows.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType, RelationRow, ScalarValue } from '@engawa/model';
import type { Table } from '@engawa/table';

export interface RelationQuery {
  type: EntityType;
  from: EntityName;
  to: EntityName;
  /** The current name of the relation. */
  relation: string;
  signal: AbortSignal;
}

/**
 * The attributes of a relation between two entities, possibly none; undefined where they are not related. One
 * strongly consistent GetItem; two more during a staged write of the relation.
 */
export async function findRelation(
  table: Table,
  { type, from, to, relation, signal }: RelationQuery,
): Promise<ReadonlyMap<string, ScalarValue> | undefined> {
  const { pk, sk } = relationKey(from, to);
  const readRow = async () => {
    const item = await table.get({ pk, sk }, { consistent: true, signal });
    return item && parseRelation(item);
  };
  let row = await readRow();
  let source: Entity | undefined;
  if (row?.staged !== undefined) {
    const item = await table.get(entityKey(from), { consistent: true, signal });
    source = item && parseEntity(item);
    // The write may have ended since the row was read. A row that is still staged is as the entity says.
    row = await readRow();
  }
  return row && attributesIn(row, { type, relation, source });
}

function attributesIn(
  row: RelationRow,
  { type, relation, source }: { type: EntityType; relation: string; source: Entity | undefined },
): ReadonlyMap<string, ScalarValue> | undefined {
  const { relations, attributes } = currentRelations(row, source);
  if (!presentNames(relations, type).includes(relation)) return undefined;
  return presentLinks(attributes, type).get(relation) ?? new Map<string, ScalarValue>();
}
