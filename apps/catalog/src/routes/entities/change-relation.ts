import { entityTag, ifMatchRevision, route } from '@engawa/http';
import { z } from 'zod';
import { checkChanges } from '../../entities/content/check-changes.ts';
import { entityOutput, entityPath, showEntity } from '../../entities/read/entity-schemas.ts';
import { withCurrentType } from '../../types/known/with-current-type.ts';
import type { Route } from '@engawa/http';
import type { PutEntityOptions } from './put-entity.ts';

const added = z
  .array(z.union([z.string(), z.looseObject({ id: z.string() })]))
  .describe(
    'Ids to add; if the relation has attributes, also `{"id": …, "attributes": {…}}`, of which only the named attributes change.',
  );

export const changeRelation = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'post',
    path: '/v1/entities/{type}/{id}/relations/{name}',
    operationId: 'changeRelation',
    summary: 'Add and remove related entities of a relation to many',
    description:
      'Other related entities stay, however many there are: neither the client nor the service reads them. An id that is added and exists already, or is removed and does not exist, changes nothing, so the request can be repeated. An id that is added and removed stays.',
    tags: ['entities'],
    params: entityPath.extend({ name: z.string().min(1).describe('The name of the relation.') }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    body: z
      .strictObject({ add: added.optional(), remove: z.array(z.string()).optional() })
      .refine(({ add, remove }) => (add ?? remove) !== undefined, 'must have add or remove'),
    exactNumbers: true,
    responses: {
      200: {
        description: 'The entity without its relations to many, with its new ETag.',
        schema: entityOutput,
      },
    },
    problems: [
      'type-not-found',
      'entity-not-found',
      'version-mismatch',
      'related-entity-not-found',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: { name: relation, ...name }, headers, body }) => {
      const revision = headers['if-match'];
      const { entity } = await withCurrentType(types, name.type, {
        check: (type) => checkChanges(type, { relations: { [relation]: body } }),
        write: (changes, layout) => entities.patch({ name, changes, revision, layout }),
      });
      return { status: 200, headers: { ETag: entityTag(entity) }, body: showEntity(entity) };
    },
  });
