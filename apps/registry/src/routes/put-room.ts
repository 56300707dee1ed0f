import { entityTag, expectedRevision, ifMatchRevision, putHeaders, route } from '@engawa/http';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { expectAllowedPlace, expectAllowedRoom } from '../places/allowed-place.ts';
import { splitPatch } from '../annotations/merge-annotations.ts';
import {
  annotations,
  changeBody,
  roomName,
  roomOutput,
  showRoom,
} from '../places/place-schemas.ts';
import { revisionOf } from '../revision.ts';
import type { Route } from '@engawa/http';
import type { RoomStore } from '../places/room-store.ts';

const path = '/v1/rooms/{place}/{room}';
const params = z.strictObject({ place: placeId, room: roomId });
const body = z.strictObject({ name: roomName, ...annotations });
const patchBody = changeBody(roomName);

export const putRoom = ({ rooms }: { rooms: RoomStore }): Route =>
  route({
    method: 'put',
    path,
    operationId: 'putRoom',
    summary: 'Create or rename a room of a place',
    description:
      'An existing room keeps its devices. Labels and metadata are replaced; without them in the body, they are removed.',
    tags: ['rooms'],
    params,
    headers: putHeaders,
    body,
    exactNumbers: true,
    responses: {
      200: { description: 'The existing room, after the change.', schema: roomOutput },
      201: { description: 'The new room.', schema: roomOutput },
    },
    problems: [
      'place-not-found',
      'room-not-found',
      'version-mismatch',
      'already-exists',
      'being-deleted',
      'too-many-conflicts',
      'table-throttled',
      'not-supported-by-table',
    ],
    filtersByPlace: true,
    handle: async ({ params: { place, room: id }, headers, body, places }) => {
      expectAllowedPlace(place, places);
      const expected = expectedRevision(headers);
      const { item, created } = await rooms.put({ place, id, ...body, expected });
      return {
        status: created ? 201 : 200,
        headers: { ETag: entityTag(revisionOf(item)) },
        body: showRoom(item),
      };
    },
  });

export const renameRoom = ({ rooms }: { rooms: RoomStore }): Route =>
  route({
    method: 'patch',
    path,
    operationId: 'renameRoom',
    summary: 'Rename a room, or change its labels and metadata',
    tags: ['rooms'],
    params,
    headers: z.object({ 'if-match': ifMatchRevision }),
    body: patchBody,
    exactNumbers: true,
    responses: { 200: { description: 'The room after the change.', schema: roomOutput } },
    problems: ['room-not-found', 'version-mismatch', 'too-many-conflicts', 'table-throttled'],
    filtersByPlace: true,
    handle: async ({ params: { place, room: id }, headers, body, places }) => {
      expectAllowedRoom({ place, id }, places);
      const { patch, changes } = splitPatch(body);
      const revision = headers['if-match'];
      const room = await rooms.change({ place, id, ...changes, patch, revision });
      return { status: 200, headers: { ETag: entityTag(revisionOf(room)) }, body: showRoom(room) };
    },
  });
