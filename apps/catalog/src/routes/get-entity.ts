import {
  entityTag,
  integerParameter,
  nextCursor,
  pageQuery,
  questionOf,
  route,
} from '@engawa/http';
import { z } from 'zod';
import { entityPath, showEntity, shownEntity } from '../entities/entity-schemas.ts';
import { getEntity } from '../entities/get-entity.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { EntityPage } from '../entities/get-entity.ts';
import type { KnownTypes } from '../types/known-types.ts';

export interface GetEntityRouteOptions {
  table: Table;
  types: KnownTypes;
  cursors: CursorCodec;
}

const operationId = 'getEntity';
const mostRelations = 1000;

const position = z.strictObject({ type: z.string(), id: z.string() });

const wholeEntity = shownEntity.extend({
  relations: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('The id that each relation to one leads to, the ids that each to many leads to.'),
  cursor: nextCursor.describe('Gives the next of its relations, where these are not all.'),
});

export const getEntityRoute = ({ table, types, cursors }: GetEntityRouteOptions): Route =>
  route({
    method: 'get',
    path: '/v1/entities/{type}/{id}',
    operationId,
    summary: 'An entity with its relations',
    tags: ['entities'],
    params: entityPath,
    query: z.strictObject({
      limit: integerParameter({ minimum: 1, maximum: mostRelations })
        .prefault(mostRelations)
        .describe('How many of its relations to give at most.'),
      cursor: pageQuery.cursor,
    }),
    answers: {
      200: { description: 'The entity; its ETag is its version.', schema: wholeEntity },
    },
    problems: ['type-not-found', 'entity-not-found'],
    handle: async ({ params, query: { limit, cursor }, signal }) => {
      const { relations: definitions } = await types.get(params.type);
      const many = new Set(definitions.flatMap(({ name, many }) => (many ? [name] : [])));
      const question = questionOf(operationId, params);
      const after =
        cursor === undefined ? undefined : position.parse(cursors.decode(question, cursor));
      const page = await getEntity(table, { name: params, limit, after, signal });
      const { entity } = page;
      return {
        status: 200,
        headers: { ETag: entityTag(entity) },
        body: {
          ...showEntity(entity),
          relations: showRelations(page, many),
          cursor: page.after && cursors.encode(question, { ...page.after }),
        },
      };
    },
  });

function showRelations({ entity, relations }: EntityPage, many: ReadonlySet<string>) {
  const lists = [...relations].filter(([name]) => many.has(name));
  return Object.fromEntries<string | string[]>([
    ...entity.one,
    ...lists.map(([name, ids]): [string, string[]] => [name, [...ids]]),
  ]);
}
