import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { z } from 'zod';
import {
  checkContent,
  givenAttributes,
  givenRelations,
} from '../../entities/content/check-content.ts';
import { entityPath, showEntity, shownEntity } from '../../entities/read/entity-schemas.ts';
import { byCurrentType } from '../../types/known/by-current-type.ts';
import type { Route } from '@engawa/http';
import type { EntityStore } from '../../entities/write/entity-store.ts';
import type { KnownTypes } from '../../types/known/known-types.ts';

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
      'What is not given is not there afterwards, but for relations to many, which most answers leave out: they stay as they are unless they are named, and an empty list takes them away. The entity, its relations and what finds it change in one moment. What its relations lead to has to be there. Automatic attributes are written by the service, whatever is given.',
    tags: ['entities'],
    params: entityPath,
    headers: putHeaders,
    body: z.strictObject({
      attributes: givenAttributes.optional(),
      relations: givenRelations.optional(),
    }),
    exactNumbers: true,
    responses: {
      200: { description: 'The entity, which was there, as it is now.', schema: shownEntity },
      201: { description: 'The entity, which is new.', schema: shownEntity },
    },
    problems: [
      'type-not-found',
      'type-in-use',
      'entity-not-found',
      'already-exists',
      'version-mismatch',
      'related-entity-not-found',
      'not-unique',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, headers, body }) => {
      const expected = expectedRevision(headers);
      const { entity, outcome } = await byCurrentType(types, name.type, {
        check: (type) => checkContent(type, body),
        write: (content, layout) => entities.put({ name, content, expected, layout }),
      });
      return {
        status: outcome === 'created' ? 201 : 200,
        headers: { ETag: entityTag(entity) },
        body: showEntity(entity),
      };
    },
  });
