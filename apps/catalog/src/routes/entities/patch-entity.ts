import { entityTag, ifMatchRevision, route } from '@engawa/http';
import { z } from 'zod';
import { checkChanges } from '../../entities/content/check-changes.ts';
import { entityPath, showEntity, shownEntity } from '../../entities/read/entity-schemas.ts';
import { byCurrentType } from '../../types/known/by-current-type.ts';
import type { Route } from '@engawa/http';
import type { PutEntityOptions } from './put-entity.ts';

export const changedAttributes = z
  .unknown()
  .meta({ type: 'object', additionalProperties: true })
  .describe(
    'Those to change, by name; null takes one away. A number also as `{"add": 1}`, a set as `{"append": [members], "remove": [members]}`.',
  );

export const givenConditions = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        equals: {},
        atLeast: {},
        atMost: {},
        contains: {},
        exists: { type: 'boolean' },
      },
      additionalProperties: false,
    },
  })
  .describe(
    'What must hold of attributes in the moment of the change, by name: `{"stock": {"atLeast": 1}}`; of a set, `contains` a member.',
  );

export const changedRelations = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: ['string', 'array', 'object', 'null'],
      items: { type: ['string', 'object'] },
    },
  })
  .describe(
    'Those to change, by name: the id, or the ids, it is to lead to; null takes it away; of one to many also `{"add": [ids], "remove": [ids]}`. In place of an id, `{"id": …, "attributes": {…}}` where the relation has attributes: in `add`, those that are named change.',
  );

export const patchEntity = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'patch',
    path: '/v1/entities/{type}/{id}',
    operationId: 'patchEntity',
    summary: 'Change a part of an entity',
    description:
      'What is not named stays as it is. Attributes that no search, full text or further ranking has take one request of the table, also the one that the first ranking of the type goes by. What is added takes place once, also where the service has to repeat a request of the table; a client that repeats its own without an answer sends If-Match.',
    tags: ['entities'],
    params: entityPath,
    headers: z.object({ 'if-match': ifMatchRevision }),
    body: z
      .strictObject({
        attributes: changedAttributes.optional(),
        relations: changedRelations.optional(),
        conditions: givenConditions.optional(),
      })
      .refine(
        ({ attributes, relations }) => attributes !== undefined || relations !== undefined,
        'must have something to change',
      ),
    exactNumbers: true,
    responses: {
      200: { description: 'The entity as it is now, with its new ETag.', schema: shownEntity },
    },
    problems: [
      'type-not-found',
      'entity-not-found',
      'version-mismatch',
      'condition-failed',
      'related-entity-not-found',
      'not-unique',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, headers, body }) => {
      const revision = headers['if-match'];
      const entity = await byCurrentType(types, name.type, {
        check: (type) => checkChanges(type, body),
        write: (changes, layout) => entities.patch({ name, changes, revision, layout }),
      });
      return { status: 200, headers: { ETag: entityTag(entity) }, body: showEntity(entity) };
    },
  });
