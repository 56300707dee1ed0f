import { entityKey, entityPartition, relationKey, relationPrefix, decodeTuple } from '@engawa/keys';
import { parseEntity, parseRelation, relationsOf } from '@engawa/model';
import { targetKey } from '../entities/wanted-items.ts';
import { askShards } from './ask-shards.ts';
import { collectRows, oneBatch } from './collect-rows.ts';
import { withEntities } from './whole-entities.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, RelationRow } from '@engawa/model';
import type { MergedPage, Row, Table } from '@engawa/table';
import type { Means } from './whole-entities.ts';

/** `forward`: from the entity to others; `backward`: from others to it. */
export type Direction = 'forward' | 'backward';

export interface RelatedQuestion extends Means {
  entity: EntityName;
  /** The type of the others. */
  otherType: string;
  direction: Direction;
  /** Only those that this relation leads to, or from. */
  relation: string | undefined;
  /** Whether to fetch the others, too. */
  whole: boolean;
  limit: number;
  /** From the page before, of the same question. */
  after: string | undefined;
}

/** Another entity, and which relations lead to it, or from it. */
export interface RelatedRow extends Row, EntityName {
  relations: readonly string[];
  /** With `whole`. */
  entity?: Entity;
}

interface StoredRow extends Row {
  row: RelationRow;
}

export class RelatedStore {
  readonly #table: Table;

  constructor({ table }: { table: Table }) {
    this.#table = table;
  }

  /** In the order of their ids; one Query a page. */
  list(question: RelatedQuestion): Promise<MergedPage<RelatedRow>> {
    const { direction, relation, whole, limit, after, budget } = question;
    return collectRows({
      limit,
      after,
      budget,
      read: (behind, count) => this.#read(question, behind, count),
      keep: async (stored) => {
        const rows = await this.#standing(stored, question);
        const meant = rows
          .map(({ sortKey, row, relations }) => {
            const other = direction === 'forward' ? row.to : row.from;
            return { sortKey, ...other, relations };
          })
          .filter(({ relations }) =>
            relation === undefined ? relations.length > 0 : relations.includes(relation),
          );
        return whole ? withEntities(this.#table, meant, question) : meant;
      },
      ...(relation !== undefined && { atLeast: oneBatch }),
      ...(whole && { atMost: oneBatch }),
    });
  }

  /** Whether the entity is there; half a read unit. */
  async isThere(entity: EntityName, means: Means): Promise<boolean> {
    const found = await this.#entity(entity, means);
    return found !== undefined && found.gone !== true;
  }
}
