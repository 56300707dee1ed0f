import { ifMatch, route } from '@engawa/http';
import { entityTypeName } from '@engawa/model';
import { z } from 'zod';
import type { Route } from '@engawa/http';
import type { TypeStore } from '../../types/type-store.ts';

export const deleteType = ({ typeStore }: { typeStore: TypeStore }): Route =>
  route({
    method: 'delete',
    path: '/v1/types/{type}',
    operationId: 'deleteType',
    summary: 'Delete a type that has no entities',
    tags: ['types'],
    scope: 'admin',
    params: z.strictObject({ type: entityTypeName }),
    headers: z.object({ 'if-match': ifMatch }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [
      'type-not-found',
      'type-in-use',
      'version-mismatch',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params, headers }) => {
      await typeStore.delete(params.type, headers['if-match']);
      return { status: 204 };
    },
  });
