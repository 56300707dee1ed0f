import {
  entityTag,
  nextCursor,
  pageQuery,
  parsePosition,
  questionOf,
  readPage,
  route,
} from '@engawa/http';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { showMember, shownMember, shownRoom, showRoom } from '../places/place-schemas.ts';
import { expectOwnRoom } from '../places/own-place.ts';
import { revisionOf } from '../revision.ts';
import type { CursorCodec, PageAsked, Route } from '@engawa/http';
import type { RoomStore } from '../places/room-store.ts';

export interface GetRoomOptions {
  rooms: RoomStore;
  cursors: CursorCodec;
}

const operationId = 'getRoom';

export const getRoom = ({ rooms, cursors }: GetRoomOptions): Route =>
  route({
    method: 'get',
    path: '/v1/rooms/{place}/{room}',
    operationId,
    summary: 'A room, and the devices that are in it now',
    tags: ['rooms'],
    params: z.strictObject({ place: placeId, room: roomId }),
    query: z.strictObject(pageQuery),
    hasEntityTag: true,
    answers: {
      200: {
        description:
          'The room; its ETag is its version and creation, with a hash of what is shown.',
        schema: z.strictObject({
          ...shownRoom.shape,
          devices: z.array(shownMember).describe('By id.'),
          cursor: nextCursor,
        }),
      },
    },
    problems: ['room-not-found'],
    keepsToPlaces: true,
    handle: async (call) => {
      const { params, places, signal } = call;
      expectOwnRoom({ place: params.place, id: params.room }, places);
      const listing = {
        cursors,
        question: () => questionOf(operationId, params),
        read: async (_: unknown, { limit, after, budget }: PageAsked) => {
          const { place, room: id } = params;
          const from = parsePosition(z.string().min(1).optional(), after);
          const page = await rooms.get({ place, id, limit, after: from, budget, signal });
          return { items: page.members.map(showMember), room: page.room, after: page.after };
        },
      };
      const { page, cursor } = await readPage(listing, call);
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(page.room)) },
        body: { ...showRoom(page.room), devices: page.items, cursor },
      };
    },
  });
