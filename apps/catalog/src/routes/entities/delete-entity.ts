import { ifMatchRevision, route } from '@engawa/http';
import { parseExactJson } from '@engawa/model';
import { z } from 'zod';
import { checkChanges } from '../../entities/content/check-changes.ts';
import { entityPath } from '../../entities/read/entity-schemas.ts';
import { prefixErrorPaths } from '../../entities/content/prefix-error-paths.ts';
import { withCurrentType } from '../../types/known/with-current-type.ts';
import { flag } from '../query-parameters.ts';
import type { Route } from '@engawa/http';
import type { CatalogParts } from '../../catalog-parts.ts';

/** A DELETE has no body, so its conditions are JSON in a parameter. */
const conditionsParameter = z
  .string()
  .transform((text, context) => {
    try {
      return parseExactJson(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON, like `conditions` of PATCH' });
      return z.NEVER;
    }
  })
  .optional()
  .describe(
    'Conditions on attributes, checked atomically with the deletion: JSON like `conditions` of PATCH, for example `{"state":{"equals":"done"}}`, percent-encoded.',
  );

type Options = Pick<CatalogParts, 'deletions' | 'types'>;

export const deleteEntityRoute = ({ deletions, types }: Options): Route =>
  route({
    method: 'delete',
    path: '/v1/entities/{type}/{id}',
    operationId: 'deleteEntity',
    summary: 'Delete an entity with its relations',
    description:
      'If other entities have relations to it, nothing is deleted, and `errors` lists them. With `detach=true` the entity is deleted, and these relations are removed in the background right after.',
    tags: ['entities'],
    params: entityPath,
    query: z.strictObject({
      detach: flag.describe(
        'Whether to delete the entity despite relations of other entities to it, and remove these relations.',
      ),
      conditions: conditionsParameter,
    }),
    headers: z.object({ 'if-match': ifMatchRevision }),
    responses: { 204: { description: 'Deleted.' } },
    problems: [
      'type-not-found',
      'entity-not-found',
      'version-mismatch',
      'condition-failed',
      'still-related',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, query: { detach, conditions: given }, headers }) => {
      const deletion = { name, detach, revision: headers['if-match'] };
      try {
        await withCurrentType(types, name.type, {
          check: (type) => checkChanges(type, { conditions: given }).conditions,
          write: (conditions, layout) => deletions.delete({ ...deletion, conditions, layout }),
        });
      } catch (error) {
        throw prefixErrorPaths('query', error);
      }
      return { status: 204 };
    },
  });
