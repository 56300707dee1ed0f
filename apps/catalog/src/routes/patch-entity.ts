import { entityTag, ifMatch, route } from '@engawa/http';
import { z } from 'zod';
import { checkChanges } from '../entities/check-changes.ts';
import { entityPath, showEntity, shownEntity } from '../entities/entity-schemas.ts';
import type { Route } from '@engawa/http';
import type { PutEntityOptions } from './put-entity.ts';

const attributes = z
  .unknown()
  .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } })
  .describe('Those to change, by name; null takes one away.');

const relations = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: ['string', 'array', 'object', 'null'],
      items: { type: 'string' },
    },
  })
  .describe(
    'Those to change, by name: the id, or the ids, it is to lead to; null takes it away; of one to many also `{"add": [ids], "remove": [ids]}`.',
  );

export const patchEntity = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'patch',
    path: '/v1/entities/{type}/{id}',
    operationId: 'patchEntity',
    summary: 'Change a part of an entity',
    description:
      'What is not named stays as it is. Attributes that no search, full text or further ranking has take one request of the table, also the one that the first ranking of the type goes by.',
    tags: ['entities'],
    params: entityPath,
    headers: z.object({ 'if-match': ifMatch }),
    body: z
      .strictObject({ attributes: attributes.optional(), relations: relations.optional() })
      .refine((body) => Object.keys(body).length > 0, 'must have something to change'),
    exactNumbers: true,
    answers: {
      200: { description: 'The entity as it is now, with its new ETag.', schema: shownEntity },
    },
    problems: [
      'type-not-found',
      'entity-not-found',
      'version-mismatch',
      'related-entity-not-found',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, headers, body }) => {
      const changes = checkChanges(await types.get(name.type), body);
      const version = headers['if-match'];
      const entity = await entities.patch({ name, changes, version });
      return { status: 200, headers: { ETag: entityTag(entity) }, body: showEntity(entity) };
    },
  });
