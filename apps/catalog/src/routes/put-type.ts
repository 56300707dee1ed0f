import { entityTag, expectedBy, putHeaders, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import { checkType } from '../types/check-type.ts';
import { shownType, showType, typeBody } from '../types/type-schemas.ts';
import type { Route } from '@engawa/http';
import type { TypeStore } from '../types/type-store.ts';

export const putType = ({ typeStore }: { typeStore: TypeStore }): Route =>
  route({
    method: 'put',
    path: '/v1/types/{type}',
    operationId: 'putType',
    summary: 'Declare a type of entities, or change what is declared',
    description:
      'The whole of it. What is new among searches and rankings is built from the entities that are there, and can be asked soon after. While there are entities, what they would not fit cannot change: attributes and relations that they may have stay as they are.',
    tags: ['types'],
    scope: 'admin',
    params: z.strictObject({ type: entityTypeName }),
    headers: putHeaders,
    body: typeBody,
    answers: {
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
