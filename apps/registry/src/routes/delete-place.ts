import { ifMatchRevision, route } from '@engawa/http';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { expectOwnPlace, expectOwnRoom } from '../places/own-place.ts';
import type { Route } from '@engawa/http';
import type { Deletions } from '../purges/deletions.ts';

const headers = z.object({ 'if-match': ifMatchRevision });
const answers = { 204: { description: 'It is deleted.' } };

export const deletePlace = ({ deletions }: { deletions: Deletions }): Route =>
  route({
    method: 'delete',
    path: '/v1/places/{id}',
    operationId: 'deletePlace',
    summary: 'Delete a place with its rooms and its history',
    description:
      'It is gone at once, and what belongs to it soon after. Its devices and their readings are kept; they are placed nowhere then.',
    tags: ['places'],
    scope: 'admin',
    params: z.strictObject({ id: placeId }),
    headers,
    answers,
    problems: ['place-not-found', 'version-mismatch', 'table-throttled', 'not-supported-by-table'],
    keepsToPlaces: true,
    handle: async ({ params: { id: place }, headers, places }) => {
      expectOwnPlace(place, places);
      await deletions.scene({ place, revision: headers['if-match'] });
      return { status: 204 };
    },
  });

export const deleteRoom = ({ deletions }: { deletions: Deletions }): Route =>
  route({
    method: 'delete',
    path: '/v1/rooms/{place}/{room}',
    operationId: 'deleteRoom',
    summary: 'Delete a room with its history',
    description:
      'It is gone at once, and what belongs to it soon after. Its devices and their readings are kept; they stay at the place, in no room.',
    tags: ['rooms'],
    scope: 'admin',
    params: z.strictObject({ place: placeId, room: roomId }),
    headers,
    answers,
    problems: ['room-not-found', 'version-mismatch', 'table-throttled', 'not-supported-by-table'],
    keepsToPlaces: true,
    handle: async ({ params, headers, places }) => {
      expectOwnRoom({ place: params.place, id: params.room }, places);
      await deletions.scene({ ...params, revision: headers['if-match'] });
      return { status: 204 };
    },
  });
