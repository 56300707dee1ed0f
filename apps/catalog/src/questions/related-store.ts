import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { collectRows, oneBatch } from './collect-rows.ts';
import { rowsBackward, rowsForward } from './related-rows.ts';
import { withEntities } from './whole-entities.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { MergedPage, Table } from '@engawa/table';
import type { RelatedRow, RelatedRowsQuestion } from './related-rows.ts';
import type { Means } from './whole-entities.ts';

/** `forward`: from the entity to others; `backward`: from others to it. */
export type Direction = 'forward' | 'backward';

export interface RelatedQuestion extends RelatedRowsQuestion {
  direction: Direction;
  /** Only those that this relation leads to, or from. */
  relation: string | undefined;
  /** Whether to fetch the others, too. */
  whole: boolean;
}

/** Another entity, itself with `whole`. */
export type Related = RelatedRow & { entity?: Entity };

export class RelatedStore {
  readonly #table: Table;

  constructor({ table }: { table: Table }) {
    this.#table = table;
  }

  /** In the order of their ids; one Query a page. `whole` fetches them 100 at a time, with a request more each. */
  list(question: RelatedQuestion): Promise<MergedPage<Related>> {
    const { direction, relation, whole, limit, after, budget } = question;
    const read = direction === 'forward' ? rowsForward : rowsBackward;
    return collectRows({
      limit,
      after,
      budget,
      read: (behind, count) => read(this.#table, { ...question, after: behind, limit: count }),
      keep: (rows) => {
        const meant = rows.filter(({ relations }) =>
          relation === undefined ? relations.length > 0 : relations.includes(relation),
        );
        return whole ? withEntities(this.#table, meant, question) : meant;
      },
      ...(relation !== undefined && { atLeast: oneBatch }),
      ...(whole && { atMost: oneBatch }),
    });
  }

  /** Whether there is such an entity; one GetItem. */
  async isThere(entity: EntityName, { budget, signal }: Means): Promise<boolean> {
    const item = await this.#table.get(entityKey(entity), { signal });
    budget.charge(1);
    return item !== undefined && parseEntity(item).gone !== true;
  }
}
