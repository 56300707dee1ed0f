import { entityTag, expectedBy, putHeaders, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { checkType } from '../../types/check/check-type.ts';
import { typeBody } from '../../types/check/type-schemas.ts';
import { shownType, showType } from './shown-type.ts';
import type { Route } from '@engawa/http';
import type { TypeStore } from '../../types/type-store.ts';

export const putType = ({ typeStore }: { typeStore: TypeStore }): Route =>
  route({
    method: 'put',
    path: '/v1/types/{type}',
    operationId: 'putType',
    summary: 'Declare a type of entities, or change what is declared',
    description:
      'The whole of it. What is new among searches and rankings is built from the entities that are there, and can be asked soon after. Entities that are there are migrated: shown as the type says from the answer on, and written behind. What goes with its values has to be named in `removed`; what they would not fit otherwise (a relation to one in place of many, or to another type) is refused.',
    tags: ['types'],
    scope: 'admin',
    params: z.strictObject({ type: entityTypeName }),
    headers: putHeaders,
    body: typeBody,
    responses: {
      200: { description: 'The type, which was there, as it is now.', schema: shownType },
      201: { description: 'The type, which is new.', schema: shownType },
    },
    problems: [
      'already-exists',
      'type-in-use',
      'type-not-found',
      'version-mismatch',
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
