import { ifMatchRevision, route } from '@engawa/http';
import { z } from 'zod';
import { entityPath } from '../entities/entity-schemas.ts';
import type { Route } from '@engawa/http';
import type { Deletions } from '../entities/deletions.ts';

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .prefault('false');

export const deleteEntityRoute = ({ deletions }: { deletions: Deletions }): Route =>
  route({
    method: 'delete',
    path: '/v1/entities/{type}/{id}',
    operationId: 'deleteEntity',
    summary: 'Delete an entity with its relations',
    description:
      'Where others relate to it, nothing is done, and `errors` says which do; with `detach=true` it is deleted, and their relations to it are taken away right behind it.',
    tags: ['entities'],
    params: entityPath,
    query: z.strictObject({
      detach: flag.describe('Whether to take away the relations of others to it.'),
    }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    answers: { 204: { description: 'It is deleted.' } },
    problems: [
      'type-not-found',
      'entity-not-found',
      'version-mismatch',
      'still-related',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, query: { detach }, headers }) => {
      await deletions.delete({ name, detach, revision: headers['if-match'] });
      return { status: 204 };
    },
  });
