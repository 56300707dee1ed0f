import { Problem } from '@engawa/errors';
import { route } from '@engawa/http';
import { entityId } from '@engawa/model';
import { z } from 'zod';
import {
  attributesOutput,
  entityPath,
  showAttributes,
} from '../../entities/read/entity-schemas.ts';
import { findRelation } from '../../queries/related/find-relation.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { invalidQuery } from '../../values/invalid-request.ts';
import type { Route } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { CatalogParts } from '../../catalog-parts.ts';

const description = [
  'Whether two entities are related: 404 `relation-not-found` if they are not, or if one of them does not exist. Strongly',
  'consistent, and one DynamoDB request, however many relations the entities have. The relation of the first entity to the other',
  'one counts; the other direction is a request of its own. Like in `related`, a relation to a deleted or expired entity is',
  'found until it is removed in the background.',
].join('\n');

const relationOutput = z
  .strictObject({
    type: z.string().describe('The type of the other entity.'),
    id: z.string().describe('The id of the other entity.'),
    attributes: attributesOutput.describe('The attributes of the relation, by name.'),
  })
  .meta({ id: 'Relation' });

type Options = Pick<CatalogParts, 'table' | 'types'>;

export function getRelation({ table, types }: Options): Route {
  return route({
    method: 'get',
    path: '/v1/entities/{type}/{id}/relations/{name}/{other}',
    operationId: 'getRelation',
    summary: 'Get the relation between two entities',
    description,
    tags: ['queries'],
    scope: 'read',
    params: entityPath.extend({
      name: z.string().min(1).describe('The name of the relation.'),
      other: entityId.describe('The id of the other entity, percent-encoded.'),
    }),
    responses: { 200: { description: 'The relation.', schema: relationOutput } },
    problems: ['type-not-found', 'relation-not-found'],
    handle: async ({ params: { type: typeName, id, name, other }, signal }) => {
      const { type, relation } = await withKnownTypes(types, [typeName], (type) => {
        return { type, relation: relationOf(type, name.normalize('NFC')) };
      });
      const to = { type: relation.to, id: other };
      const query = { type, from: { type: type.name, id }, to, relation: relation.name, signal };
      const attributes = await findRelation(table, query);
      if (attributes === undefined) throw notRelated(query);
      return { status: 200, body: { ...to, attributes: showAttributes(attributes) } };
    },
  });
}

/** @throws Problem `invalid-request` */
function relationOf({ name: type, relations }: EntityType, name: string) {
  const found = relations.find((relation) => relation.name === name);
  if (found !== undefined) return found;
  throw invalidQuery([{ path: 'path.name', message: `must be a relation of ${type}` }]);
}

interface NamedRelation {
  from: { type: string; id: string };
  to: { type: string; id: string };
  relation: string;
}

function notRelated({ from, to, relation }: NamedRelation): Problem {
  const detail = `${from.type} "${from.id}" has no relation "${relation}" to ${to.type} "${to.id}".`;
  return new Problem('relation-not-found', detail);
}
