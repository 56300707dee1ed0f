import { Problem } from '@engawa/errors';
import { entityTag, route, weakTag } from '@engawa/http';
import { KeyError } from '@engawa/keys';
import { entityTypeName, idSchema, memberName } from '@engawa/model';
import { z } from 'zod';
import { entityOutput, showEntity } from '../../entities/read/entity-schemas.ts';
import { findByUniqueValue } from '../../entities/read/find-by-unique-value.ts';
import { isExpired, withExpiry } from '../../entities/items/expiry-time.ts';
import { presentEntity, readFields } from '../../migrations/present-entity.ts';
import { typeOf } from '../../types/known/with-current-type.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import { checkFields, fieldsQuery } from '../../values/fields.ts';
import { invalidQuery } from '../../values/invalid-request.ts';
import { parsePartValue } from '../../values/parse-part-value.ts';
import type { Route } from '@engawa/http';
import type { UniqueValue } from '@engawa/keys';
import type { EntityType, SetMember } from '@engawa/model';
import type { GetEntityRouteOptions } from './get-entity.ts';

const params = z.strictObject({
  type: entityTypeName,
  attribute: idSchema('attribute').describe('A unique attribute of the type, percent-encoded.'),
});

const query = z.strictObject({
  value: z.string().describe('The value: text, a number, or a time with an offset.'),
  ...fieldsQuery,
});

const description =
  'Strongly consistent: two GetItem requests, of the value and of its entity; one if no entity has the value. Without relations to many, like the response to a PUT.';

export function getEntityByValue({
  table,
  types,
  now,
}: Omit<GetEntityRouteOptions, 'cursors'>): Route {
  return route({
    method: 'get',
    path: '/v1/unique/{type}/{attribute}',
    operationId: 'getEntityByValue',
    summary: 'Get the entity that has a unique value',
    description,
    tags: ['entities'],
    params,
    query,
    hasEntityTag: true,
    responses: {
      200: {
        description:
          'The entity. Its ETag consists of its version and a hash of the response; with `fields` the ETag is weak.',
        schema: entityOutput,
      },
    },
    problems: ['type-not-found', 'entity-not-found'],
    handle: async ({ params, query, signal }) => {
      const { known, unique, fields } = await withKnownTypes(types, [params.type], (known) => {
        return {
          known,
          unique: uniqueOf(known, params.attribute, query.value),
          fields: checkFields(known, query),
        };
      });
      const toRead = withExpiry(known, readFields(fields, [known]));
      const stored = await findByUniqueValue(table, unique, { fields: toRead, signal });
      const type = await typeOf(types, params, stored);
      const entity = stored && presentEntity(stored, type);
      if (entity === undefined || isExpired(type, entity, now())) throw notFound(unique);
      const tag = entityTag(entity);
      return {
        status: 200,
        headers: { ETag: fields === undefined ? tag : weakTag(tag) },
        body: showEntity(entity, fields),
      };
    },
  });
}

/** @throws Problem `invalid-request` */
function uniqueOf(
  { name: type, attributes }: EntityType,
  attribute: string,
  text: string,
): UniqueValue {
  const { kind, unique } = attributes.find(({ name }) => name === attribute) ?? {};
  if (unique !== true || (kind !== 'text' && kind !== 'number' && kind !== 'instant')) {
    const message = `must be a unique attribute of ${type}`;
    throw invalidQuery([{ path: 'path.attribute', message }]);
  }
  try {
    const value = parsePartValue({ attribute, as: kind }, 'query.value', text, { timeZone: 'UTC' });
    return { type, attribute, value: memberName(value as SetMember) };
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw invalidQuery([{ path: error.field, message: error.reason }]);
  }
}

function notFound({ type, attribute }: UniqueValue): Problem {
  const detail = `No ${type} has this value of ${JSON.stringify(attribute)}.`;
  return new Problem('entity-not-found', detail);
}
