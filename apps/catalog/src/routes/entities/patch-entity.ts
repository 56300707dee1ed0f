import { entityTag, ifMatchPresent, route } from '@engawa/http';
import { z } from 'zod';
import { checkChanges } from '../../entities/content/check-changes.ts';
import { entityPath } from '../../entities/read/entity-schemas.ts';
import { showWrittenEntity, writtenEntityOutput } from '../../entities/read/written-entity.ts';
import { withCurrentType } from '../../types/known/with-current-type.ts';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { flag } from '../query-parameters.ts';
import type { Route } from '@engawa/http';
import type { PutEntityOptions } from './put-entity.ts';

export const changedAttributes = z
  .unknown()
  .meta({ type: 'object', additionalProperties: true })
  .describe(
    'Attributes to change, by name; null removes one. A number can be incremented with `{"add": 1}`, a set changed with `{"append": [members], "remove": [members]}`.',
  );

/** Changes of values inside maps. */
export const changesInside = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: {
        type: ['object', 'null'],
        properties: { set: {}, add: { type: 'number' }, append: { type: 'array' } },
        additionalProperties: false,
      },
    },
  })
  .describe(
    'Changes of values inside maps, by the attribute, then by JSON Pointer (RFC 6901): `{"options": {"/counts/visits": {"add": 1}}}`; `set` replaces a value, `append` adds values to a list, null removes a name. Missing maps on the way are created.',
  );

export const conditionsInput = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        equals: {},
        atLeast: {},
        atMost: {},
        contains: {},
        exists: { type: 'boolean' },
        inside: { type: 'object', additionalProperties: { type: 'object' } },
      },
      additionalProperties: false,
    },
  })
  .describe(
    'Conditions on attributes, by name, checked atomically with the change: `{"stock": {"atLeast": 1}}`; `contains` tests a member of a set; `inside` has conditions on values inside a map, by JSON Pointer: `{"options": {"inside": {"/counts/visits": {"atMost": 9}}}}`.',
  );

export const changedRelations = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: ['string', 'array', 'object', 'null'],
      items: { type: ['string', 'object'] },
    },
  })
  .describe(
    'Relations to change, by name: the new id or ids; null removes the relation; a relation to many also takes `{"add": [ids], "remove": [ids]}`. If the relation has attributes, an id may be `{"id": …, "attributes": {…}}`; in `add`, only the named attributes change.',
  );

export const upsertText =
  'Whether to create the entity if it does not exist, as if it existed without attributes and relations: a number begins at 0. Required attributes have to be given. Not with If-Match.';

const upsertOfExpected = {
  path: 'query.upsert',
  message: 'must not be combined with If-Match, which expects that the entity exists',
};

const patchBody = z
  .strictObject({
    attributes: changedAttributes.optional(),
    inside: changesInside.optional(),
    relations: changedRelations.optional(),
    conditions: conditionsInput.optional(),
  })
  .refine(
    ({ attributes, inside, relations }) => (attributes ?? inside ?? relations) !== undefined,
    'must have attributes or relations to change',
  );

export const patchEntity = ({ entities, types }: PutEntityOptions): Route =>
  route({
    method: 'patch',
    path: '/v1/entities/{type}/{id}',
    operationId: 'patchEntity',
    summary: 'Change attributes and relations of an entity',
    description:
      'Unnamed attributes and relations are unchanged. The value of a map is replaced; as `application/merge-patch+json` (RFC 7396) it is merged: names that it does not have stay, and null removes a name. A change takes one DynamoDB request if no search, full text, filter or further ranking uses the attributes, and no value inside a map is changed; the attribute of the first ranking counts as such, too. An `add` is applied exactly once even if the service retries its request to DynamoDB; a client that retries its own request after a lost response sends If-Match.',
    tags: ['entities'],
    params: entityPath,
    query: z.strictObject({ upsert: flag.describe(upsertText) }),
    headers: z.object({ 'if-match': ifMatchPresent }),
    body: patchBody,
    exactNumbers: true,
    responses: {
      200: { description: 'The changed entity, with its new ETag.', schema: writtenEntityOutput },
      201: { description: 'With `upsert`: the entity, created.', schema: writtenEntityOutput },
    },
    problems: [
      'type-not-found',
      'type-changing',
      'entity-not-found',
      'version-mismatch',
      'condition-failed',
      'related-entity-not-found',
      'not-unique',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    handle: async ({ params: name, query: { upsert }, headers, body, isMergePatch }) => {
      const expected = headers['if-match'];
      if (upsert && expected !== undefined) throwFieldErrors([upsertOfExpected]);
      const revision = expected === 'present' ? undefined : expected;
      const { entity, outcome } = await withCurrentType(types, name.type, {
        check: (type) => checkChanges(type, body, { isMergePatch }),
        write: (changes, layout) => entities.patch({ name, changes, revision, layout, upsert }),
      });
      return {
        status: outcome === 'created' ? 201 : 200,
        headers: { ETag: entityTag(entity) },
        body: showWrittenEntity(await types.get(name.type), entity),
      };
    },
  });
