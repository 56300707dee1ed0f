import {
  entityTag,
  integerParameter,
  nextCursor,
  pageQuery,
  parsePosition,
  questionOf,
  route,
} from '@engawa/http';
import { z } from 'zod';
import { entityPath, manyOf, showWholeEntity, wholeEntity } from '../entities/entity-schemas.ts';
import { getEntity } from '../entities/get-entity.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Table } from '@engawa/table';
import type { KnownTypes } from '../types/known-types.ts';

export interface GetEntityRouteOptions {
  table: Table;
  types: KnownTypes;
  cursors: CursorCodec;
}

const operationId = 'getEntity';
const mostRelations = 1000;

const position = z.strictObject({ type: z.string(), id: z.string() });

const shown = wholeEntity.extend({
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
    hasEntityTag: true,
    answers: {
      200: {
        description: 'The entity; its ETag is its version with a hash of what is shown.',
        schema: shown,
      },
    },
    problems: ['type-not-found', 'entity-not-found'],
    handle: async ({ params, query: { limit, cursor }, signal }) => {
      const type = await types.get(params.type);
      const question = questionOf(operationId, params);
      const after =
        cursor === undefined
          ? undefined
          : parsePosition(position, cursors.decode(question, cursor));
      const page = await getEntity(table, { name: params, limit, after, signal });
      const { entity } = page;
      return {
        status: 200,
        headers: { ETag: entityTag(entity) },
        body: {
          ...showWholeEntity(entity, page.relations, manyOf(type)),
          cursor: page.after && cursors.encode(question, { ...page.after }),
        },
      };
    },
  });
