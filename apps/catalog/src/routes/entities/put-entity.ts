import { entityTag, expectedRevision, putHeaders, route } from '@engawa/http';
import { z } from 'zod';
import {
  checkContent,
  attributesInput,
  relationsInput,
} from '../../entities/content/check-content.ts';
import { entityPath } from '../../entities/read/entity-schemas.ts';
import { showWrittenEntity, writtenEntityOutput } from '../../entities/read/written-entity.ts';
import { withCurrentType } from '../../types/known/with-current-type.ts';
import { serviceProperties } from '../../entities/content/service-properties.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import type { EntityName } from '@engawa/keys';
import type { Route } from '@engawa/http';
import type { EntityStore } from '../../entities/write/entity-store.ts';
import type { KnownTypes } from '../../types/known/known-types.ts';

export interface PutEntityOptions {
  entities: EntityStore;
  types: KnownTypes;
}

const sameAsPath = z.string().optional().describe('The same as in the path.');

export const putEntity = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'put',
    path: '/v1/entities/{type}/{id}',
    operationId: 'putEntity',
    summary: 'Create or replace an entity',
    description:
      'Missing attributes and relations are removed. Missing relations to many are kept, since most responses omit them; an empty list removes them. The entity, its relations and its index rows change atomically. The targets of its relations must exist. The body of a response can be sent back: properties that the service sets, and automatic attributes, are accepted if they equal the stored ones, and refused if they differ; where the entity does not exist, they are ignored. A `version` that is not the stored one is answered 412.',
    tags: ['entities'],
    params: entityPath,
    headers: putHeaders,
    body: z.strictObject({
      attributes: attributesInput.optional(),
      relations: relationsInput.optional(),
      type: sameAsPath,
      id: sameAsPath,
      ...serviceProperties,
    }),
    exactNumbers: true,
    responses: {
      200: { description: 'The entity, replaced or unchanged.', schema: writtenEntityOutput },
      201: { description: 'The entity, created.', schema: writtenEntityOutput },
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
      refuseOtherName(name, body);
      const { entity, outcome } = await withCurrentType(types, name.type, {
        check: (type) => checkContent(type, body),
        write: (content, layout) => entities.put({ name, content, expected, layout }),
      });
      return {
        status: outcome === 'created' ? 201 : 200,
        headers: { ETag: entityTag(entity) },
        body: showWrittenEntity(await types.get(name.type), entity),
      };
    },
  });

/** A body that is sent to another path is a mistake. @throws Problem `invalid-request` */
function refuseOtherName(
  name: EntityName,
  body: { type?: string | undefined; id?: string | undefined },
): void {
  const others = (['type', 'id'] as const).filter(
    (part) => body[part] !== undefined && body[part].normalize('NFC') !== name[part],
  );
  throwFieldErrors(
    others.map((part) => ({ path: `body.${part}`, message: 'must be the same as in the path' })),
  );
}
