import { entityTag, expectedBy, putHeaders, route } from '@engawa/http';
import { z } from 'zod';
import { checkContent, givenAttributes, givenRelations } from '../entities/check-content.ts';
import { entityPath, showEntity, shownEntity } from '../entities/entity-schemas.ts';
import type { Route } from '@engawa/http';
import type { EntityStore } from '../entities/entity-store.ts';
import type { KnownTypes } from '../types/known-types.ts';

export interface PutEntityOptions {
  entities: EntityStore;
  types: KnownTypes;
}

export const putEntity = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'put',
    path: '/v1/entities/{type}/{id}',
    operationId: 'putEntity',
    summary: 'Make an entity, or all of it anew',
    description:
      'What is not given is not there afterwards. The entity, its relations and what finds it change in one moment. What its relations lead to has to be there. Automatic attributes are written by the service, whatever is given.',
    tags: ['entities'],
    params: entityPath,
    headers: putHeaders,
    body: z.strictObject({
      attributes: givenAttributes.optional(),
      relations: givenRelations.optional(),
    }),
    exactNumbers: true,
    answers: {
      200: { description: 'The entity, which was there, as it is now.', schema: shownEntity },
      201: { description: 'The entity, which is new.', schema: shownEntity },
    },
    problems: [
      'type-not-found',
      'entity-not-found',
      'already-exists',
      'version-mismatch',
      'related-entity-not-found',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, headers, body }) => {
      const content = checkContent(await types.get(name.type), body);
      const expected = expectedBy(headers);
      const { entity, created } = await entities.put({ name, content, expected });
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(entity) },
        body: showEntity(entity),
      };
    },
  });
