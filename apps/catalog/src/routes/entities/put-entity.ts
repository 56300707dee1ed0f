import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { z } from 'zod';
import {
  checkContent,
  attributesInput,
  relationsInput,
} from '../../entities/content/check-content.ts';
import { entityPath, showEntity, entityOutput } from '../../entities/read/entity-schemas.ts';
import { withCurrentType } from '../../types/known/with-current-type.ts';
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
    summary: 'Create or replace an entity',
    description:
      'Missing attributes and relations are removed. Missing relations to many are kept, since most responses omit them; an empty list removes them. The entity, its relations and its index rows change atomically. The targets of its relations must exist. Automatic attributes are always written by the service.',
    tags: ['entities'],
    params: entityPath,
    headers: putHeaders,
    body: z.strictObject({
      attributes: attributesInput.optional(),
      relations: relationsInput.optional(),
    }),
    exactNumbers: true,
    responses: {
      200: { description: 'The entity, replaced or unchanged.', schema: entityOutput },
      201: { description: 'The entity, created.', schema: entityOutput },
    },
    problems: [
      'type-not-found',
      'type-changing',
      'entity-not-found',
      'already-exists',
      'version-mismatch',
      'related-entity-not-found',
      'not-unique',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, headers, body }) => {
      const expected = expectedRevision(headers);
      const { entity, outcome } = await withCurrentType(types, name.type, {
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
