import {
  entityTag,
  integerParameter,
  nextCursor,
  pageQuery,
  parsePosition,
  cursorContext,
  route,
  weakTag,
} from '@engawa/http';
import { z } from 'zod';
import {
  entityPath,
  manyOf,
  relationParts,
  showWholeEntity,
  wholeEntityOutput,
} from '../../entities/read/entity-schemas.ts';
import { entityNotFound } from '../../entities/read/expected-entity.ts';
import { checkFields, fieldsQuery } from '../../values/fields.ts';
import { getEntity } from '../../entities/read/get-entity.ts';
import { isExpired, withExpiry } from '../../entities/items/expiry-time.ts';
import {
  presentEntity,
  presentLinks,
  presentRelations,
  readFields,
} from '../../migrations/present-entity.ts';
import { typeOf } from '../../types/known/with-current-type.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { KnownTypes } from '../../types/known/known-types.ts';

export interface GetEntityRouteOptions {
  table: Table;
  types: KnownTypes;
  cursors: CursorCodec;
  /** The wall clock by which entities expire (epoch milliseconds). */
  now: () => number;
}

const operationId = 'getEntity';
export const maxShownRelations = 1000;

const position = z.strictObject({
  type: z.string(),
  id: z.string(),
  version: z.int(),
  creation: z.string().optional(),
});

const entityWithPagesOutput = wholeEntityOutput.extend({
  relationParts: relationParts.optional(),
  cursor: nextCursor.describe('Cursor of the next page of its relations, if there are more.'),
});

const entityQuery = z.strictObject({
  limit: integerParameter({ minimum: 1, maximum: maxShownRelations })
    .prefault(maxShownRelations)
    .describe('Maximum number of relations to return.'),
  cursor: pageQuery.cursor,
  ...fieldsQuery,
});

const description =
  'The response has up to 1,000 related entities, fewer if they are larger than a page. A relation to many of which there are more is in `relationParts` instead of `relations`. All pages are of one version of the entity: the cursor of a page is refused (412) after the entity has changed.';

const responses = {
  200: {
    description:
      'The entity. Its ETag consists of its version and a hash of the response; with `fields` the ETag is weak, and If-Match never matches it.',
    schema: entityWithPagesOutput,
  },
} as const;

export const getEntityRoute = ({ table, types, cursors, now }: GetEntityRouteOptions): Route =>
  route({
    method: 'get',
    path: '/v1/entities/{type}/{id}',
    operationId,
    summary: 'Get an entity with its relations',
    description,
    tags: ['entities'],
    params: entityPath,
    query: entityQuery,
    hasEntityTag: true,
    responses,
    problems: ['type-not-found', 'entity-not-found', 'version-mismatch'],
    handle: async ({ params, query, budget: { maxBytes }, signal }) => {
      const { limit, cursor } = query;
      const { known, fields } = await withKnownTypes(types, [params.type], (known) => {
        return { known, fields: checkFields(known, query) };
      });
      const named = fields && { fields: [...fields] };
      const cursorInput = cursorContext(operationId, { ...params, ...named });
      const decoded = cursor === undefined ? undefined : cursors.decode(cursorInput, cursor);
      const after = parsePosition(position.optional(), decoded);
      const read = { fields: withExpiry(known, readFields(fields, [known])), many: manyOf(known) };
      const page = await getEntity(table, {
        name: params,
        limit,
        after,
        maxBytes,
        signal,
        ...read,
      });
      const type = await typeOf(types, params, page.entity);
      const entity = presentEntity(page.entity, type);
      if (isExpired(type, entity, now())) throw entityNotFound(params);
      const relations = presentRelations(page.relations, type);
      const links = presentLinks(page.links, type);
      const isPart = partsOf(type, { isFirst: after === undefined, last: page.after });
      return {
        status: 200,
        // A partial entity has a weak ETag, so that no conditional write relies on it (docs/adr/0067).
        headers: { ETag: fields === undefined ? entityTag(entity) : weakTag(entityTag(entity)) },
        body: {
          ...showWholeEntity(entity, relations, { many: manyOf(type), links, fields, isPart }),
          cursor: page.after && cursors.encode(cursorInput, { ...page.after }),
        },
      };
    },
  });

/** Relations are paged in the order of the related types; a page ends within the relations to one type. */
function partsOf(
  { relations }: EntityType,
  { isFirst, last }: { isFirst: boolean; last: EntityName | undefined },
): (name: string) => boolean {
  if (!isFirst) return () => true;
  const cut = relations.filter(({ many, to }) => many && to === last?.type);
  const names = new Set(cut.map(({ name }) => name));
  return (name) => names.has(name);
}
