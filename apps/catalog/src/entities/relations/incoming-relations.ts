import { anyRelationPrefix, entityKey, entityPartition } from '@engawa/keys';
import { parseEntity, parseRelation } from '@engawa/model';
import { queryPages } from '@engawa/table';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { RelationRow } from '@engawa/model';
import type { ItemPage, Table } from '@engawa/table';

/** A relation from another entity. */
export interface IncomingRelation {
  from: EntityName;
  /** Names of the relations. */
  names: readonly string[];
  /** Incarnation of the target; see `RelationRow`. */
  incarnation: string | undefined;
}

/** A relation of a staged write that is not committed yet. */
export interface StagedIncomingRelation {
  from: EntityName;
  write: string;
  incarnation: string | undefined;
}

export interface IncomingRelationsPage {
  relations: IncomingRelation[];
  staged: StagedIncomingRelation[];
}

/**
 * The relations of other entities to this one, from the index. Each page is one Query, and one BatchGetItem where rows
 * are staged; it is requested when the caller needs it.
 */
export async function* incomingRelations(
  { table, signal }: { table: Table; signal?: AbortSignal | undefined },
  to: EntityName,
  { limit }: { limit?: number } = {},
): AsyncGenerator<IncomingRelationsPage, void, undefined> {
  const pages = queryPages(table, {
    index: 'gsi1',
    pk: entityPartition(to),
    sk: { beginsWith: anyRelationPrefix },
    ...(limit !== undefined && { limit }),
    ...(signal && { signal }),
  });
  for await (const page of pages) yield await relationsOfPage(table, page);
}

async function relationsOfPage(table: Table, page: ItemPage): Promise<IncomingRelationsPage> {
  const rows = page.items.map(parseRelation);
  const settles = await settledWrites(table, rows);
  const relations = rows
    .map((row) => relationOf(row, settles.get(targetKey(row.from))))
    .filter(({ names }) => names.length > 0);
  const stagedRelations = rows.flatMap(({ from, staged }) => {
    if (staged === undefined || staged.relations.length === 0) return [];
    const { write, incarnation } = staged;
    return settles.get(targetKey(from)) === write ? [] : [{ from, write, incarnation }];
  });
  return { relations, staged: stagedRelations };
}

function relationOf(row: RelationRow, settles: string | undefined): IncomingRelation {
  const counts = row.staged !== undefined && row.staged.write === settles ? row.staged : row;
  const { relations: names, incarnation } = counts;
  return { from: row.from, names, incarnation };
}

/** By entity with staged rows: its committed write. */
async function settledWrites(
  table: Table,
  rows: readonly RelationRow[],
): Promise<Map<string, string | undefined>> {
  const staged = rows.filter((row) => row.staged !== undefined);
  if (staged.length === 0) return new Map();
  const { items } = await table.getAll(
    staged.map(({ from }) => entityKey(from)),
    { consistent: true },
  );
  return new Map(
    items.map(parseEntity).map((entity) => [targetKey(entity), entity.settles] as const),
  );
}
