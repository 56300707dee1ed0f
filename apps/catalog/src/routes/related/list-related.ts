import {
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { entityPath } from '../../entities/read/entity-schemas.ts';
import { checkFields, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { entityNotFound } from '../../entities/read/expected-entity.ts';
import { presenter } from '../../migrations/presenter.ts';
import { directionOf } from '../../queries/related/related-direction.ts';
import { entityExists } from '../../queries/entity-exists.ts';
import {
  includeOf,
  includeQuery,
  refuseIncludeWithoutWhole,
  withRelations,
} from '../../queries/included/include.ts';
import { readIncluded } from '../../queries/included/read-included.ts';
import { RelatedStore } from '../../queries/related/related-store.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { columnsOf } from '../entities/entity-columns.ts';
import { maxReadOf, totalFor, totalQuery, totalOutput } from '../query-parameters.ts';
import { hasLinkAttributes, relatedEntity, relatedQuery, showRelated } from './related-entity.ts';
import type { ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { RowCount } from '../../queries/count-rows.ts';

const operationId = 'listRelated';

const description = [
  "`forward` lists targets of the entity's relations, `backward` sources of relations to the entity; each once, sorted by id,",
  'with the names of the relations. `direction` may be omitted if the types are related in one direction only.',
  '',
  'Backward, the index is eventually consistent: a change is visible a moment after its response.',
].join('\n');

const query = z
  .strictObject({ ...relatedQuery, ...includeQuery, ...totalQuery, ...listQuery })
  .superRefine(refuseFieldsWithoutWhole)
  .superRefine(refuseIncludeWithoutWhole);

interface RelatedCall extends ListCall {
  params: { type: string; id: string; otherType: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'types' | 'cursors' | 'now'>;
type RelatedPage = PageResult & { items: z.output<typeof relatedEntity>[] };

export function listRelated(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/entities/{type}/{id}/related/{otherType}',
    operationId,
    summary: 'List the entities of a type that are related to an entity',
    description,
    tags: ['queries'],
    scope: 'read',
    params: entityPath.extend({ otherType: entityTypeName }),
    query,
    responses: {
      200: {
        description: 'A page of related entities.',
        schema: z.strictObject({
          items: z.array(relatedEntity),
          ...totalOutput,
          cursor: nextCursor,
        }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found', 'entity-not-found'],
    rows: {
      schema: relatedEntity,
      columns: async ({ params, query: { whole } }) => {
        const names = [params.type, params.otherType];
        const types = await Promise.all(names.map((name) => options.types.get(name)));
        const attributesField = types.some(hasLinkAttributes) ? ['attributes'] : [];
        return columnsOf(
          'type',
          'id',
          'relations',
          ...attributesField,
          ...(whole ? ['entity'] : []),
        );
      },
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { count, ...listing } = await listingOf(options, call);
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, ...(await totalFor(call, count)), cursor } };
    },
  });
}

/** The related types, and the other parameters of the request. */
async function askedOf({ types }: Options, { params, query }: RelatedCall) {
  const { relation, order } = query;
  const names = [params.type, params.otherType] as const;
  const asked = await withKnownTypes(types, names, (type, other = type) => {
    const direction = directionOf(type, other, query);
    return { type, other, direction, fields: checkFields(other, query) };
  });
  const { direction, fields } = asked;
  const cursorInput = {
    ...{ ...params, direction, relation: relation ?? null, order },
    ...(fields && { fields: [...fields] }),
    ...(query.include && { include: query.include }),
  };
  return { ...asked, cursorInput, include: await includeOf(types, params.otherType, query) };
}

async function listingOf(
  options: Options,
  call: RelatedCall,
): Promise<ListSource<RelatedCall, RelatedPage> & { count: () => Promise<RowCount> }> {
  const { type, other, direction, fields, include, cursorInput } = await askedOf(options, call);
  const { table, cursors, now } = options;
  const { params, query, budget, signal } = call;
  const { relation, order, whole } = query;
  const entity = { type: type.name, id: params.id };
  const store = new RelatedStore({ table });
  const relatedTo = { entity, otherType: other.name, direction, relation };
  return {
    count: () => store.count({ ...relatedTo, budget, signal }),
    cursors,
    maxRead: maxReadOf,
    cursorContext: () => cursorContext(operationId, cursorInput),
    read: async (_, { after: from, ...page }) => {
      const after = parsePosition(z.string().min(1).optional(), from);
      const { presentNames, presentEntity, readFields } = presenter([type, other]);
      const found = await store.list({
        ...relatedTo,
        descending: order === 'descending',
        presentNames,
        whole,
        fields: readFields(withRelations(fields, include)),
        after,
        signal,
        ...page,
      });
      const isEmpty = found.rows.length === 0 && found.after === undefined;
      // With a cursor, the entity existed when the first page was read.
      const isChecked = isEmpty && after === undefined;
      if (isChecked && !(await entityExists(table, entity, { ...page, signal }))) {
        throw entityNotFound(entity);
      }
      const rows = found.rows.map((row) =>
        row.entity ? { ...row, entity: presentEntity(row.entity) } : row,
      );
      const entities = rows.flatMap((row) => row.entity ?? []);
      const includedOf = await readIncluded({ table, now, ...page, signal }, include, entities);
      const items = rows.map((row) => showRelated(row, { fields, includedOf }));
      return { items, positions: found.rows.map(({ sortKey }) => sortKey), after: found.after };
    },
  };
}
