import {
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  repeatedParameter,
  route,
} from '@engawa/http';
import { entityId, entityTypeName } from '@engawa/model';
import { z } from 'zod';
import {
  manyOf,
  showEntity,
  showWholeEntity,
  wholeEntity,
} from '../../entities/read/entity-schemas.ts';
import { fieldsOf, fieldsQuery } from '../../values/fields.ts';
import {
  presentEntity,
  presentLinks,
  presentRelations,
  readFields,
} from '../../migrations/present-entity.ts';
import { EntityListStore } from '../../queries/entity-list-store.ts';
import { byTypes } from '../../types/known/by-types.ts';
import { entityColumns } from './entity-columns.ts';
import { totalFor, totalQuery, shownTotal, wholeParameter } from '../query-parameters.ts';
import type { ListCall, ListSource, PageResult, Route } from '@engawa/http';
import type { Entity } from '@engawa/model';
import type { CatalogParts } from '../../catalog-parts.ts';

const operationId = 'listEntities';

/** A BatchGetItem. */
const mostIds = 100;

const description = [
  'In the order of their ids, which is that of their creation where the service made them. Relations to many are in it with `whole`, which',
  'takes a request more for each entity: row by row, all that there is can be sent to POST /v1/entities again.',
  'A change is seen a moment after it was answered: the index that lists them follows them.',
  '',
  'With `id`, those entities instead, in the order asked for and as they are now; `missing` names those that are not there.',
].join('\n');

const query = z
  .strictObject({
    id: repeatedParameter(entityId, { maximum: mostIds })
      .optional()
      .describe(`The ids of those to give, at most ${mostIds}: \`id=a&id=b\`.`),
    whole: wholeParameter('Whether to give relations to many, too; then at most 100 on a page.'),
    order: z.enum(['ascending', 'descending']).optional().describe('By default `ascending`.'),
    ...fieldsQuery,
    ...totalQuery,
    ...listQuery,
  })
  .superRefine((given, context) => {
    if (given.id === undefined) return;
    for (const name of ['order', 'limit', 'cursor', 'whole', 'total'] as const) {
      if (given[name] === undefined || given[name] === false) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'must come without id' });
    }
  });

interface EntitiesCall extends ListCall {
  params: { type: string };
  query: z.output<typeof query>;
  signal: AbortSignal;
}

type Options = Pick<CatalogParts, 'table' | 'shards' | 'types' | 'cursors'>;
type EntityPage = PageResult & { items: z.output<typeof wholeEntity>[]; missing?: string[] };

export function listEntities(options: Options): Route {
  const store = new EntityListStore(options);
  const listing = listingOf(options, store);
  return route({
    method: 'get',
    path: '/v1/entities/{type}',
    operationId,
    summary: 'The entities of a type in the order of their ids, or those of some ids',
    description,
    tags: ['entities'],
    scope: 'read',
    params: z.strictObject({ type: entityTypeName }),
    query,
    responses: {
      200: {
        description: 'A page of entities, or those asked for.',
        schema: z.strictObject({
          items: z.array(wholeEntity),
          missing: z.array(z.string()).optional().describe('Those of the ids that no entity has.'),
          ...shownTotal,
          cursor: nextCursor,
        }),
      },
    },
    problems: ['invalid-cursor', 'type-not-found'],
    rows: {
      schema: wholeEntity,
      columns: async ({ params, query }) =>
        entityColumns(await options.types.get(params.type), query.fields),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { page, cursor } = await readPage(listing, call);
      const { items, missing } = page;
      const counted = await totalFor(call, () => store.count(call.params.type, call));
      return { status: 200, body: { items, missing, ...counted, cursor } };
    },
  });
}

function listingOf(
  { types, cursors }: Options,
  store: EntityListStore,
): ListSource<EntitiesCall, EntityPage> {
  return {
    cursors,
    cursorContext: ({ params: { type }, query: { order = 'ascending', fields } }) =>
      cursorContext(operationId, { type, order, ...(fields && { fields }) }),
    read: async ({ params, query, signal }, { limit, after, budget }) => {
      const { id, order, whole } = query;
      const { definition, fields } = await byTypes(types, [params.type], (definition) => {
        return { definition, fields: fieldsOf(definition, query) };
      });
      const { name: type } = definition;
      const asked = { type, fields: readFields(fields, [definition]), budget, signal };
      const shown = (entity: Entity) => showEntity(presentEntity(entity, definition), fields);
      if (id !== undefined) {
        const { entities, missing } = await store.some({ ...asked, ids: [...new Set(id)] });
        return { items: entities.map(shown), missing };
      }
      const question = {
        ...asked,
        descending: order === 'descending',
        limit,
        after: parsePosition(z.string().min(1).optional(), after),
      };
      if (!whole) {
        const page = await store.list(question);
        return { items: page.rows.map(({ entity }) => shown(entity)), after: page.after };
      }
      const page = await store.listWhole(question);
      const many = manyOf(definition);
      const items = page.rows.map(({ entity, relations, links }) =>
        showWholeEntity(
          presentEntity(entity, definition),
          presentRelations(relations, definition),
          { many, links: presentLinks(links, definition), fields },
        ),
      );
      return { items, after: page.after };
    },
  };
}
