import { entityTag, expectedBy, putHeaders, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { checkType } from '../../types/check/check-type.ts';
import { typeBody } from '../../types/check/type-schemas.ts';
import { typeOutput, showType } from './type-output.ts';
import type { Route } from '@engawa/http';
import type { TypeStore } from '../../types/type-store.ts';

export const putType = ({ typeStore }: { typeStore: TypeStore }): Route =>
  route({
    method: 'put',
    path: '/v1/types/{type}',
    operationId: 'putType',
    summary: 'Declare or change an entity type',
    description:
      'The body is the complete declaration. New searches and rankings are built from the existing entities in the background, and can be queried once built. Existing entities are migrated: from the response on they are returned as the type declares, and rewritten in the background. Attributes and relations whose values are to be deleted must be named in `removed`; other changes that existing entities do not fit (a relation to one in place of many, or to another type) are refused.',
    tags: ['types'],
    scope: 'admin',
    params: z.strictObject({ type: entityTypeName }),
    headers: putHeaders,
    body: typeBody,
    responses: {
      200: { description: 'The type, changed or unchanged.', schema: typeOutput },
      201: { description: 'The type, created.', schema: typeOutput },
    },
    problems: [
      'already-exists',
      'type-in-use',
      'type-not-found',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params, headers, body }) => {
      const expected = expectedBy(headers);
      const definition = checkType(body);
      const { type, created } = await typeStore.put(params.type, { definition, expected });
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(type) },
        body: showType(type),
      };
    },
  });
