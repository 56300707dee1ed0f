import {
  entityTag,
  listQuery,
  nextCursor,
  pageQuery,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { naturalPosition, placementKey, roomKey } from '@engawa/keys';
import { placeId } from '@engawa/model';
import { z } from 'zod';
import { columnOf } from './list-places.ts';
import { maxNamed } from '../places/natural-order.ts';
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
import type {
  CursorCodec,
  FittingPage,
  ListCall,
  ListSource,
  PageRequest,
  PageResult,
  Places,
  Route,
} from '@engawa/http';
import type { Place, Placement, Room } from '@engawa/model';
import type { CollectionPage, CollectionRequest } from '../places/place-collection.ts';
import type { PlaceStore } from '../places/place-store.ts';

export interface GetPlaceOptions {
  places: PlaceStore;
  cursors: CursorCodec;
}

const params = z.strictObject({ id: placeId });
const query = z.strictObject({
  order: z
    .enum(['id', 'name'])
    .prefault('id')
    .describe(
      `\`name\`: numbers in names by their value, such as Flat 2 before Flat 10. Each page then reads all of them, for a read unit per 4 KB; at most ${maxNamed}.`,
    ),
  ...listQuery,
});

interface PlaceCall extends ListCall {
  query: ListCall['query'] & { order?: 'id' | 'name' };
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
        read: async (_: PlaceCall, asked: PageRequest) =>
          wholePage(await readPart(places, 'all', call, asked)),
      };
      return answerOf(await readPage(listing, call));
    },
  });
}

/** The place, and its devices and rooms in one list, which are on a page together. */
interface WholePage extends PageResult {
  place: Place;
  devices: ReturnType<typeof showPlacement>[];
  rooms: ReturnType<typeof showRoom>[];
}

function wholePage({ place, after, ...found }: CollectionPage): WholePage {
  const devices = found.devices.map(showPlacement);
  const rooms = found.rooms.map(showRoom);
  const positions = [...devicePositions(found.devices), ...roomPositions(found.rooms)];
  return { place, devices, rooms, items: [...devices, ...rooms], positions, after };
}

function answerOf({ page, count, cursor }: FittingPage<WholePage>) {
  const { place, devices, rooms } = page;
  return {
    status: 200 as const,
    headers: { ETag: entityTag(revisionOf(place)) },
    body: {
      ...showPlace(place),
      devices: devices.slice(0, count),
      rooms: rooms.slice(0, Math.max(0, count - devices.length)),
      cursor,
    },
  };
}

const devicePositions = (devices: readonly Placement[]) =>
  devices.map(({ place, device }) => placementKey(place, device).sk);

const roomPositions = (rooms: readonly Room[]) =>
  rooms.map(({ place, id }) => roomKey(place, id).sk);

export const listRoomsOfPlace = ({ places, cursors }: GetPlaceOptions): Route =>
  partRoute({
    path: '/v1/places/{id}/rooms',
    operationId: 'listRoomsOfPlace',
    summary: 'The rooms of a place, sorted by id or by name',
    schema: roomOutput,
    columns: ['place', 'id', 'name', 'registeredAt', 'version', 'labels', 'metadata'],
    cursors,
    read: async (call, asked) => {
      const { rooms, after } = await readPart(places, 'rooms', call, asked);
      const positions = isByName(call)
        ? rooms.map(({ id, name }) => naturalPosition(name, id))
        : roomPositions(rooms);
      return { items: rooms.map(showRoom), positions, after };
    },
  });

export const listDevicesOfPlace = ({ places, cursors }: GetPlaceOptions): Route =>
  partRoute({
    path: '/v1/places/{id}/devices',
    operationId: 'listDevicesOfPlace',
    summary: 'The devices at a place, sorted by id or by name, each with its last event',
    schema: placementOutput,
    columns: ['device', 'name', 'kind', 'room', 'since', 'lastEventAt', 'lastEvent'],
    cursors,
    read: async (call, asked) => {
      const { devices, after } = await readPart(places, 'devices', call, asked);
      const positions = isByName(call)
        ? devices.map(({ device, name }) => naturalPosition(name, device))
        : devicePositions(devices);
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
  return (call: PlaceCall) =>
    cursorContext(operationId, { ...call.params, ...(isByName(call) && { order: 'name' }) });
}

function isByName({ query }: PlaceCall): boolean {
  return query.order === 'name';
}

async function readPart(
  places: PlaceStore,
  part: CollectionRequest['part'],
  call: PlaceCall,
  { limit, after, budget }: PageRequest,
): Promise<CollectionPage> {
  const { params, places: permitted, signal } = call;
  expectAllowedPlace(params.id, permitted);
  const from = parsePosition(z.string().min(1).optional(), after);
  const question = { place: params.id, limit, after: from, budget, signal };
  return part !== 'all' && isByName(call)
    ? places.collectionByName({ ...question, part })
    : places.collection({ ...question, part });
}
