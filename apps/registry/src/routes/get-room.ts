import {
  entityTag,
  nextCursor,
  pageQuery,
  parsePosition,
  cursorContext,
  readPage,
  route,
} from '@engawa/http';
import { membershipKey } from '@engawa/keys';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { showMember, memberOutput, roomOutput, showRoom } from '../places/place-schemas.ts';
import { expectAllowedRoom } from '../places/allowed-place.ts';
import { revisionOf } from '../revision.ts';
import type { CursorCodec, PageRequest, Route } from '@engawa/http';
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
    summary: 'A room and the devices in it now',
    tags: ['rooms'],
    params: z.strictObject({ place: placeId, room: roomId }),
    query: z.strictObject(pageQuery),
    hasEntityTag: true,
    responses: {
      200: {
        description:
          'The room. Its ETag has its version, its creation time and a hash of the body.',
        schema: z.strictObject({
          ...roomOutput.shape,
          devices: z.array(memberOutput).describe('By id.'),
          cursor: nextCursor,
        }),
      },
    },
    problems: ['room-not-found'],
    filtersByPlace: true,
    handle: async (call) => {
      const { params, places, signal } = call;
      expectAllowedRoom({ place: params.place, id: params.room }, places);
      const listing = {
        cursors,
        cursorContext: () => cursorContext(operationId, params),
        read: async (_: unknown, { limit, after, budget }: PageRequest) => {
          const { place, room: id } = params;
          const from = parsePosition(z.string().min(1).optional(), after);
          const page = await rooms.get({ place, id, limit, after: from, budget, signal });
          const items = page.members.map(showMember);
          const positions = page.members.map((member) => membershipKey(member).sk);
          return { items, positions, room: page.room, after: page.after };
        },
      };
      const { page, items, cursor } = await readPage(listing, call);
      return {
        status: 200,
        headers: { ETag: entityTag(revisionOf(page.room)) },
        body: { ...showRoom(page.room), devices: items, cursor },
      };
    },
  });
