import { entityTag, expectedRevision, ifMatchRevision, putHeaders, route } from '@engawa/http';
import { placeId } from '@engawa/model';
import { z } from 'zod';
import { expectAllowedPlace } from '../places/allowed-place.ts';
import { splitPatch } from '../annotations/merge-annotations.ts';
import {
  annotations,
  changeBody,
  placeName,
  placeOutput,
  showPlace,
} from '../places/place-schemas.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { PlaceStore } from '../places/place-store.ts';

const params = z.strictObject({ id: placeId });
const body = z.strictObject({ name: placeName, ...annotations });
const patchBody = changeBody(placeName);

export const putPlace = ({ places }: { places: PlaceStore }): Route =>
  route({
    method: 'put',
    path: '/v1/places/{id}',
    operationId: 'putPlace',
    summary: 'Create or rename a place',
    description:
      'An existing place keeps its rooms and devices. Labels and metadata are replaced; without them in the body, they are removed.',
    tags: ['places'],
    params,
    headers: putHeaders,
    body,
    exactNumbers: true,
    responses: {
      200: { description: 'The existing place, after the change.', schema: placeOutput },
      201: { description: 'The new place.', schema: placeOutput },
    },
    problems: [
      'place-not-found',
      'version-mismatch',
      'already-exists',
      'being-deleted',
      'too-many-conflicts',
      'table-throttled',
    ],
    filtersByPlace: true,
    handle: async ({ params, headers, body, places: permitted }) => {
      expectAllowedPlace(params.id, permitted);
      const expected = expectedRevision(headers);
      const { item, created } = await places.put({ ...params, ...body, expected });
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(revisionOf(item)) },
        body: showPlace(item),
      };
    },
  });

export const renamePlace = ({ places }: { places: PlaceStore }): Route =>
  route({
    method: 'patch',
    path: '/v1/places/{id}',
    operationId: 'renamePlace',
    summary: 'Rename a place, or change its labels and metadata',
    tags: ['places'],
    params,
    headers: z.object({ 'if-match': ifMatchRevision }),
    body: patchBody,
    exactNumbers: true,
    responses: { 200: { description: 'The place after the change.', schema: placeOutput } },
    problems: ['place-not-found', 'version-mismatch', 'too-many-conflicts', 'table-throttled'],
    filtersByPlace: true,
    handle: async ({ params, headers, body, places: permitted }) => {
      expectAllowedPlace(params.id, permitted);
      const { patch, changes } = splitPatch(body);
      const revision = headers['if-match'];
      const place = await places.change({ ...params, ...changes, patch, revision });
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(place)) },
        body: showPlace(place),
      };
    },
  });
