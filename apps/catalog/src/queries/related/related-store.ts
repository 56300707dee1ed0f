import { entityPartition } from '@engawa/keys';
import { contains, nonEmpty } from '@engawa/table';
import { presentKeys } from '../../migrations/present-entity.ts';
import { collectRows, batchSize } from '../collect-rows.ts';
import { countPartition } from '../count-rows.ts';
import { rangeOf, rowsBackward, rowsForward } from './related-rows.ts';
import { withEntities } from '../fetch-entities.ts';
import type { Entity } from '@engawa/model';
import type { MergedPage, Table } from '@engawa/table';
import type { Fields } from '../../values/fields.ts';
import type { RowCount } from '../count-rows.ts';
import type { RelatedRow, RelatedRowsQuery } from './related-rows.ts';
import type { RequestLimits } from '../fetch-entities.ts';

export const directions = ['forward', 'backward'] as const;
/** `forward`: from the entity to others; `backward`: from others to it. */
export type Direction = (typeof directions)[number];

export interface RelatedQuery extends RelatedRowsQuery {
  direction: Direction;
  /** Only entities related by this relation. */
  relation: string | undefined;
  /** Translates stored relation names of a source type to current ones. */
  presentNames: (names: readonly string[], type: string) => readonly string[];
  /** Whether to fetch the related entities. */
  whole: boolean;
  /** Default: all fields. */
  fields?: Fields | undefined;
}

/** A related entity; `entity` is present with `whole`. */
export type RelatedEntityRow = RelatedRow & { entity?: Entity };

export interface BothDirectionsQuery extends Omit<RelatedQuery, 'direction' | 'after'> {
  /** Undefined: both, forward first. */
  direction: Direction | undefined;
  after: BothDirectionsPosition | undefined;
}

/** Where a page ended; without sort key, at the beginning of the direction. */
export interface BothDirectionsPosition {
  direction: Direction;
  sortKey?: string | undefined;
}

export interface BothDirectionsPage {
  rows: (RelatedEntityRow & { direction: Direction })[];
  after?: BothDirectionsPosition | undefined;
}

export type CountRelatedQuery = RequestLimits &
  Pick<RelatedQuery, 'entity' | 'otherType' | 'direction' | 'relation'>;

export class RelatedStore {
  readonly #table: Table;

  constructor({ table }: { table: Table }) {
    this.#table = table;
  }

  /** Sorted by id; one Query per page. With `whole`, one more request per 100. */
  list(query: RelatedQuery): Promise<MergedPage<RelatedEntityRow>> {
    const { direction, relation, presentNames, whole, limit, after, budget } = query;
    const read = direction === 'forward' ? rowsForward : rowsBackward;
    return collectRows({
      limit,
      after,
      budget,
      read: (nextPage, count) => read(this.#table, { ...query, after: nextPage, limit: count }),
      keep: (stored) => {
        const rows = stored.map((row) => {
          const from = direction === 'forward' ? query.entity.type : row.type;
          const presentName = (name: string) => presentNames([name], from)[0];
          const attributes = presentKeys(row.attributes, presentName);
          return { ...row, relations: presentNames(row.relations, from), attributes };
        });
        const matching = rows.filter(({ relations }) =>
          relation === undefined ? relations.length > 0 : relations.includes(relation),
        );
        return whole ? withEntities(this.#table, matching, query) : matching;
      },
      ...(relation !== undefined && { minRead: batchSize }),
      ...(whole && { maxRead: batchSize }),
    });
  }

  /** Lists one direction, then the other; a page with rows of both takes one more Query. */
  async listBothDirections({ after, ...query }: BothDirectionsQuery): Promise<BothDirectionsPage> {
    const first = after?.direction ?? query.direction ?? 'forward';
    const page = await this.#listDirection(query, first, after?.sortKey);
    const isLast = first === 'backward' || query.direction !== undefined;
    if (page.after !== undefined || isLast) return page;
    const limit = query.limit - page.rows.length;
    if (limit === 0 || query.budget.isSpent) {
      return { ...page, after: { direction: 'backward' } };
    }
    const nextPage = await this.#listDirection({ ...query, limit }, 'backward', undefined);
    return { ...nextPage, rows: [...page.rows, ...nextPage.rows] };
  }

  async #listDirection(
    query: Omit<BothDirectionsQuery, 'after'>,
    direction: Direction,
    from: string | undefined,
  ): Promise<BothDirectionsPage> {
    const { rows, after } = await this.list({ ...query, direction, after: from });
    return {
      rows: rows.map((row) => ({ ...row, direction })),
      ...(after !== undefined && { after: { direction, sortKey: after } }),
    };
  }

  /** One Query per megabyte of rows. Staged rows count as before their write. */
  count({
    entity,
    otherType,
    direction,
    relation,
    ...limits
  }: CountRelatedQuery): Promise<RowCount> {
    const names = ['data', 'relations'];
    const query = {
      ...(direction === 'backward' && { index: 'gsi1' as const }),
      pk: entityPartition(entity),
      sk: rangeOf(otherType),
      onlyIf: relation === undefined ? nonEmpty(names) : contains(names, relation),
    };
    return countPartition(this.#table, query, limits);
  }
}
