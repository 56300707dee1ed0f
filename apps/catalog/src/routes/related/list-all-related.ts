import {
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { z } from 'zod';
import { entityPath } from '../../entities/read/entity-schemas.ts';
import { refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { entityNotFound } from '../../entities/read/expected-entity.ts';
import { presenter } from '../../migrations/presenter.ts';
import { entityExists } from '../../queries/entity-exists.ts';
import { directions, RelatedStore } from '../../queries/related/related-store.ts';
import { columnsOf } from '../entities/entity-columns.ts';
import { maxReadOf, totalFor, totalQuery, totalOutput } from '../query-parameters.ts';
import { relatedEntity, relatedQuery, showRelated } from './related-entity.ts';
import type { ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { RowCount } from '../../queries/count-rows.ts';

const operationId = 'listAllRelated';

const description = [
  "Related entities of all types: first targets of the entity's relations (`forward`), then sources of relations to the",
  'entity (`backward`), or only one `direction`; each sorted by type and id. An entity related in both directions is listed',
  'twice.',
  '',
  'Backward, the index is eventually consistent: a change is visible a moment after its response.',
].join('\n');

const query = z
  .strictObject({ ...relatedQuery, ...totalQuery, ...listQuery })
  .superRefine(refuseFieldsWithoutWhole);

const relatedEntityOutput = relatedEntity
  .extend({ direction: z.enum(directions).describe('The direction of the relations.') })
  .meta({ id: 'RelatedEntityEitherWay' });

interface RelatedCall extends ListCall {
  params: { type: string; id: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'types' | 'cursors'>;
type RelatedPage = PageResult & { items: z.output<typeof relatedEntityOutput>[] };

/** Where a page ended: the direction, and the last sort key. */
const position = z.tuple([z.enum(directions), z.string().min(1).nullable()]);

export function listAllRelated(options: Options): Route {
  const store = new RelatedStore(options);
  const listing = listingOf(options, store);
  return route({
    method: 'get',
    path: '/v1/entities/{type}/{id}/related',
    operationId,
    summary: 'List all entities related to an entity, in both directions',
    description,
    tags: ['queries'],
    scope: 'read',
    params: entityPath,
    query,
    responses: {
      200: {
        description: 'A page of related entities.',
        schema: z.strictObject({
          items: z.array(relatedEntityOutput),
          ...totalOutput,
          cursor: nextCursor,
        }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'entity-not-found'],
    rows: {
      schema: relatedEntityOutput,
      columns: ({ query: { whole } }) => {
        const names = ['direction', 'type', 'id', 'relations', 'attributes'];
        return columnsOf(...names, ...(whole ? ['entity'] : []));
      },
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      const counted = await totalFor(call, () => countAll(store, call));
      return { status: 200, body: { items, ...counted, cursor } };
    },
  });
}

function listingOf(
  { table, types, cursors }: Options,
  store: RelatedStore,
): ListSource<RelatedCall, RelatedPage> {
  return {
    cursors,
    maxRead: maxReadOf,
    cursorContext: ({ params, query: { direction, relation, order, fields } }) => {
      const named = fields && { fields };
      const filters = { direction: direction ?? null, relation: relation ?? null, order, ...named };
      return cursorContext(operationId, { ...params, ...filters });
    },
    read: async ({ params, query, signal }, { after: from, ...page }) => {
      const { name: type } = await types.get(params.type);
      const entity = { type, id: params.id };
      const { direction, relation, order, whole } = query;
      // The related entities are of any types, so field names are not checked against one.
      const fields = query.fields && new Set(query.fields);
      const { presentNames, presentEntity, readFields } = presenter(await types.all());
      const found = await store.listBothDirections({
        ...{ entity, otherType: undefined, direction, relation, presentNames, whole, signal },
        fields: readFields(fields),
        descending: order === 'descending',
        after: positionOf(from),
        ...page,
      });
      const { rows, after } = found;
      const isEmpty = rows.length === 0 && after === undefined && from === undefined;
      if (isEmpty && !(await entityExists(table, entity, { ...page, signal })))
        throw entityNotFound(entity);
      return {
        items: rows.map((row) => {
          const shown = row.entity ? { ...row, entity: presentEntity(row.entity) } : row;
          return { ...showRelated(shown, { fields }), direction: row.direction };
        }),
        positions: rows.map(({ direction, sortKey }) => [direction, sortKey]),
        ...(after && { after: [after.direction, after.sortKey ?? null] }),
      };
    },
  };
}

function positionOf(from: Parameters<typeof parsePosition>[1]) {
  const found = parsePosition(position.optional(), from);
  if (found === undefined) return undefined;
  const [direction, sortKey] = found;
  return { direction, sortKey: sortKey ?? undefined };
}

async function countAll(
  store: RelatedStore,
  { params: entity, query, budget, signal }: RelatedCall,
): Promise<RowCount> {
  const { relation } = query;
  const requested = query.direction === undefined ? directions : [query.direction];
  const counts = await Promise.all(
    requested.map((direction) =>
      store.count({ entity, otherType: undefined, direction, relation, budget, signal }),
    ),
  );
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isExact: counts.every(({ isExact }) => isExact),
  };
}
