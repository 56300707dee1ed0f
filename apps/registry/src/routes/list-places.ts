import {
  listQuery,
  nextCursor,
  parsePosition,
  questionOf,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { collated } from '@engawa/keys';
import { z } from 'zod';
import { listPermitted } from '../lists/list-permitted.ts';
import { namePrefixParameter } from '../lists/name-query.ts';
import { shownPlace, shownRoom, showPlace, showRoom } from '../places/place-schemas.ts';
import type { Column, CursorCodec, ListCall, Listing, Places, Route } from '@engawa/http';
import type { MergedPage } from '@engawa/table';
import type { NamedRow, NameQuestion } from '../lists/list-by-name.ts';
import type { PlaceStore } from '../places/place-store.ts';
import type { RoomStore } from '../places/room-store.ts';

export interface ListPlacesOptions {
  places: PlaceStore;
  cursors: CursorCodec;
}

export const listPlaces = ({ places, cursors }: ListPlacesOptions): Route =>
  listRoute({
    path: '/v1/places',
    operationId: 'listPlaces',
    summary: 'The places in the order of their names',
    tag: 'places',
    idsBehind: 1,
    schema: shownPlace,
    columns: ['id', 'name', 'registeredAt', 'version'],
    cursors,
    list: (question) => places.list(question),
    placeOf: ({ id }) => id,
    show: showPlace,
  });

export interface ListRoomsOptions {
  rooms: RoomStore;
  cursors: CursorCodec;
}

export const listRooms = ({ rooms, cursors }: ListRoomsOptions): Route =>
  listRoute({
    path: '/v1/rooms',
    operationId: 'listRooms',
    summary: 'The rooms of all places in the order of their names',
    tag: 'rooms',
    idsBehind: 2,
    schema: shownRoom,
    columns: ['place', 'id', 'name', 'registeredAt', 'version'],
    cursors,
    list: (question) => rooms.list(question),
    placeOf: ({ place }) => place,
    show: showRoom,
  });

/** What differs between the lists by name. */
interface Kind<Item> {
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  idsBehind: number;
  schema: z.ZodObject;
  columns: readonly string[];
  cursors: CursorCodec;
  list: (question: NameQuestion) => Promise<MergedPage<NamedRow<Item>>>;
  placeOf: (item: Item) => string;
  show: (item: Item) => Record<string, unknown>;
}

interface NameCall extends ListCall {
  query: ListCall['query'] & { namePrefix?: string | undefined };
  places: Places;
  signal: AbortSignal;
}

function listRoute<Item>(kind: Kind<Item>): Route {
  const { path, operationId, summary, tag, idsBehind, schema } = kind;
  const listing = listingOf(kind);
  const answer = z.strictObject({ items: z.array(schema), cursor: nextCursor });
  return route({
    method: 'get',
    path,
    operationId,
    summary,
    tags: [tag],
    query: z.strictObject({ namePrefix: namePrefixParameter({ idsBehind }), ...listQuery }),
    answers: { 200: { description: 'A page of them.', schema: answer } },
    keepsToPlaces: true,
    rows: {
      schema,
      columns: () => kind.columns.map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { page, cursor } = await readPage(listing, call);
      return { status: 200, body: { items: [...page.items], cursor } };
    },
  });
}

function listingOf<Item>(kind: Kind<Item>): Listing<NameCall> {
  return {
    cursors: kind.cursors,
    question: ({ query: { namePrefix } }) =>
      questionOf(kind.operationId, {
        namePrefix: namePrefix === undefined ? null : collated('namePrefix', namePrefix),
      }),
    read: async ({ query: { namePrefix }, places, signal }, { after, ...asked }) => {
      const from = parsePosition(z.string().min(1).optional(), after);
      const question = { ...asked, namePrefix, after: from, signal };
      const page = places.isRestricted
        ? await listPermitted(question, kind.list, (rows) =>
            rows.filter(({ item }) => places.allows(kind.placeOf(item))),
          )
        : await kind.list(question);
      return { items: page.rows.map(({ item }) => kind.show(item)), after: page.after };
    },
  };
}

export function columnOf(name: string): Column {
  return { name, of: (row) => row[name] };
}
