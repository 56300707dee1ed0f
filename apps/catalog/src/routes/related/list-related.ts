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
import { fieldsOf, refuseFieldsWithoutWhole } from '../../values/fields.ts';
import { notFound } from '../../entities/read/expected-entity.ts';
import { presenter } from '../../migrations/presenter.ts';
import { directionOf } from '../../queries/related/related-direction.ts';
import { isThere } from '../../queries/entity-exists.ts';
import { RelatedStore } from '../../queries/related/related-store.ts';
import { byTypes } from '../../types/known/by-types.ts';
import { columnsOf } from '../entities/entity-columns.ts';
import { totalFor, totalQuery, shownTotal } from '../query-parameters.ts';
import { hasLinkAttributes, relatedEntity, relatedQuery, showRelated } from './related-entity.ts';
import type { ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';
import type { Counted } from '../../queries/count-rows.ts';

const operationId = 'listRelated';

const description = [
  '`forward` gives those that the entity relates to, `backward` those that relate to it; each once, in the order of their ids,',
  'with the names of the relations. Without `direction` it is the one that the two types have.',
  '',
  'Backward, a change is seen a moment after it was answered: that index follows the entities.',
].join('\n');

const query = z
  .strictObject({ ...relatedQuery, ...totalQuery, ...listQuery })
  .superRefine(refuseFieldsWithoutWhole);

interface RelatedCall extends ListCall {
  params: { type: string; id: string; otherType: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'types' | 'cursors'>;
type RelatedPage = PageResult & { items: z.output<typeof relatedEntity>[] };

export function listRelated(options: Options): Route {
  return route({
    method: 'get',
    path: '/v1/entities/{type}/{id}/related/{otherType}',
    operationId,
    summary: 'The entities that an entity relates to, or that relate to it',
    description,
    tags: ['questions'],
    scope: 'read',
    params: entityPath.extend({ otherType: entityTypeName }),
    query,
    responses: {
      200: {
        description: 'A page of them.',
        schema: z.strictObject({
          items: z.array(relatedEntity),
          ...shownTotal,
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
        const said = types.some(hasLinkAttributes) ? ['attributes'] : [];
        return columnsOf('type', 'id', 'relations', ...said, ...(whole ? ['entity'] : []));
      },
      each: async function* (call) {
        yield* readRows(await listingOf(options, call), call);
      },
    },
    handle: async (call) => {
      const { count, ...listing } = await listingOf(options, call);
      const { page, cursor } = await readPage(listing, call);
      return { status: 200, body: { items: page.items, ...(await totalFor(call, count)), cursor } };
    },
  });
}

async function listingOf(
  { table, types, cursors }: Options,
  { params, query: asks, budget, signal }: RelatedCall,
): Promise<ListSource<RelatedCall, RelatedPage> & { count: () => Promise<Counted> }> {
  const { relation, order, whole } = asks;
  const names = [params.type, params.otherType] as const;
  const { type, other, direction, fields } = await byTypes(types, names, (type, other = type) => {
    const direction = directionOf(type, other, asks);
    return { type, other, direction, fields: fieldsOf(other, asks) };
  });
  const entity = { type: type.name, id: params.id };
  const store = new RelatedStore({ table });
  const asked = { entity, otherType: other.name, direction, relation };
  const named = fields && { fields: [...fields] };
  const question = { ...params, direction, relation: relation ?? null, order, ...named };
  return {
    count: () => store.count({ ...asked, budget, signal }),
    cursors,
    cursorContext: () => cursorContext(operationId, question),
    read: async (_, { after: from, ...page }) => {
      const after = parsePosition(z.string().min(1).optional(), from);
      const descending = order === 'descending';
      const { presentNames, presentEntity, readFields } = presenter([type, other]);
      const found = await store.list({
        ...asked,
        descending,
        presentNames,
        whole,
        fields: readFields(fields),
        after,
        signal,
        ...page,
      });
      const isNothing = found.rows.length === 0 && found.after === undefined;
      // Whoever has a cursor has seen that it is, or was, there.
      if (
        isNothing &&
        after === undefined &&
        !(await isThere(table, entity, { ...page, signal }))
      ) {
        throw notFound(entity);
      }
      const items = found.rows.map((row) => showRelated(row, presentEntity, fields));
      return { items, after: found.after };
    },
  };
}
