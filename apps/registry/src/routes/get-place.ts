import {
  entityTag,
  listQuery,
  nextCursor,
  pageQuery,
  parsePosition,
  cursorContext,
  readPage,
  readWholePage,
  readRows,
  route,
} from '@engawa/http';
import { placementKey, roomKey } from '@engawa/keys';
import { placeId } from '@engawa/model';
import { z } from 'zod';
import { columnOf } from './list-places.ts';
import { expectAllowedPlace } from '../places/allowed-place.ts';
import {
  placeOutput,
  placementOutput,
  roomOutput,
  showPlace,
  showPlacement,
  showRoom,
} from '../places/place-schemas.ts';
import { revisionOf } from '../revision.ts';
import type { CursorCodec, ListCall, ListSource, PageRequest, Places, Route } from '@engawa/http';
import type { CollectionPage, CollectionRequest } from '../places/place-collection.ts';
import type { PlaceStore } from '../places/place-store.ts';

export interface GetPlaceOptions {
  places: PlaceStore;
  cursors: CursorCodec;
}

const params = z.strictObject({ id: placeId });
const query = z.strictObject(listQuery);

interface PlaceCall extends ListCall {
  params: z.output<typeof params>;
  places: Places;
  signal: AbortSignal;
}

const order =
  'Devices before rooms, each sorted by id. Further pages follow by cursor, and each has the place itself.';

/** One request for all devices of a place, each with its last event. */
export function getPlace({ places, cursors }: GetPlaceOptions): Route {
  const operationId = 'getPlace';
  const contextOf = cursorContextFor(operationId);
  return route({
    method: 'get',
    path: '/v1/places/{id}',
    operationId,
    summary: 'A place with its rooms and its devices, each with its last event',
    description: order,
    tags: ['places'],
    params,
    query: z.strictObject(pageQuery),
    hasEntityTag: true,
    responses: {
      200: {
        description:
          'The place. Its ETag has the version and the creation time of the place itself, and a hash of the body.',
        schema: z.strictObject({
          ...placeOutput.shape,
          devices: z.array(placementOutput),
          rooms: z.array(roomOutput),
          cursor: nextCursor,
        }),
      },
    },
    problems: ['place-not-found'],
    filtersByPlace: true,
    handle: async (call) => {
      const listing = {
        cursors,
        cursorContext: contextOf,
        read: (_: PlaceCall, asked: PageRequest) => readPart(places, 'all', call, asked),
      };
      const { page, cursor } = await readWholePage(listing, call);
      return answerOf(page, cursor);
    },
  });
}

function answerOf({ place, devices, rooms }: CollectionPage, cursor: string | undefined) {
  return {
    status: 200 as const,
    headers: { ETag: entityTag(revisionOf(place)) },
    body: {
      ...showPlace(place),
      devices: devices.map(showPlacement),
      rooms: rooms.map(showRoom),
      cursor,
    },
  };
}

export const listRoomsOfPlace = ({ places, cursors }: GetPlaceOptions): Route =>
  partRoute({
    path: '/v1/places/{id}/rooms',
    operationId: 'listRoomsOfPlace',
    summary: 'The rooms of a place, sorted by id',
    schema: roomOutput,
    columns: ['place', 'id', 'name', 'registeredAt', 'version', 'labels', 'metadata'],
    cursors,
    read: async (call, asked) => {
      const { rooms, after } = await readPart(places, 'rooms', call, asked);
      const positions = rooms.map(({ place, id }) => roomKey(place, id).sk);
      return { items: rooms.map(showRoom), positions, after };
    },
  });

export const listDevicesOfPlace = ({ places, cursors }: GetPlaceOptions): Route =>
  partRoute({
    path: '/v1/places/{id}/devices',
    operationId: 'listDevicesOfPlace',
    summary: 'The devices at a place, sorted by id, each with its last event',
    schema: placementOutput,
    columns: ['device', 'name', 'kind', 'room', 'since', 'lastEventAt', 'lastEvent'],
    cursors,
    read: async (call, asked) => {
      const { devices, after } = await readPart(places, 'devices', call, asked);
      const positions = devices.map(({ place, device }) => placementKey(place, device).sk);
      return { items: devices.map(showPlacement), positions, after };
    },
  });

/** The differences between the lists of a place's devices and rooms. */
interface Kind extends Omit<ListSource<PlaceCall>, 'cursorContext'> {
  path: string;
  operationId: string;
  summary: string;
  schema: z.ZodObject;
  columns: readonly string[];
}

function partRoute(kind: Kind): Route {
  const { path, operationId, summary, schema, columns } = kind;
  const listing = { ...kind, cursorContext: cursorContextFor(operationId) };
  const answer = z.strictObject({ items: z.array(schema), cursor: nextCursor });
  return route({
    method: 'get',
    path,
    operationId,
    summary,
    tags: ['places'],
    params,
    query,
    responses: { 200: { description: 'A page of the list.', schema: answer } },
    problems: ['place-not-found'],
    filtersByPlace: true,
    rows: { schema, columns: () => columns.map(columnOf), each: (call) => readRows(listing, call) },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
}

function cursorContextFor(operationId: string) {
  return ({ params }: PlaceCall) => cursorContext(operationId, params);
}

async function readPart(
  places: PlaceStore,
  part: CollectionRequest['part'],
  { params, places: permitted, signal }: PlaceCall,
  { limit, after, budget }: PageRequest,
): Promise<CollectionPage> {
  expectAllowedPlace(params.id, permitted);
  const from = parsePosition(z.string().min(1).optional(), after);
  return places.collection({ place: params.id, part, limit, after: from, budget, signal });
}
