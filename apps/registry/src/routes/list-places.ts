import {
  listQuery,
  nextCursor,
  parsePosition,
  cursorContext,
  readPage,
  readRows,
  route,
} from '@engawa/http';
import { collated } from '@engawa/keys';
import { z } from 'zod';
import { labelQuery, matchesLabels, selectorText } from '../annotations/label-selector.ts';
import { listMatching } from '../lists/list-matching.ts';
import { ignoreAccentsParameter, namePrefixParameter } from '../lists/name-query.ts';
import { placeOutput, roomOutput, showPlace, showRoom } from '../places/place-schemas.ts';
import type { Column, CursorCodec, ListCall, ListSource, Places, Route } from '@engawa/http';
import type { MergedPage } from '@engawa/table';
import type { Annotations } from '@engawa/model';
import type { LabelSelector } from '../annotations/label-selector.ts';
import type { NamedRow, NameListRequest } from '../lists/list-by-name.ts';
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
    summary: 'The places, sorted by name',
    tag: 'places',
    idsBehind: 1,
    schema: placeOutput,
    columns: ['id', 'name', 'registeredAt', 'version', 'labels'],
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
    summary: 'The rooms of all places, sorted by name',
    tag: 'rooms',
    idsBehind: 2,
    schema: roomOutput,
    columns: ['place', 'id', 'name', 'registeredAt', 'version', 'labels'],
    cursors,
    list: (question) => rooms.list(question),
    placeOf: ({ place }) => place,
    show: showRoom,
  });

/** The differences between the lists by name. */
interface Kind<Item extends Annotations> {
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  idsBehind: number;
  schema: z.ZodObject;
  columns: readonly string[];
  cursors: CursorCodec;
  list: (question: NameListRequest) => Promise<MergedPage<NamedRow<Item>>>;
  placeOf: (item: Item) => string;
  show: (item: Item) => Record<string, unknown>;
}

interface NameCall extends ListCall {
  query: ListCall['query'] & {
    namePrefix?: string | undefined;
    ignoreAccents?: boolean;
    label?: LabelSelector[] | undefined;
  };
  places: Places;
  signal: AbortSignal;
}

function listRoute<Item extends Annotations>(kind: Kind<Item>): Route {
  const { path, operationId, summary, tag, idsBehind, schema } = kind;
  const listing = listingOf(kind);
  const answer = z.strictObject({ items: z.array(schema), cursor: nextCursor });
  return route({
    method: 'get',
    path,
    operationId,
    summary,
    tags: [tag],
    query: z.strictObject({
      namePrefix: namePrefixParameter({ idsBehind }),
      ignoreAccents: ignoreAccentsParameter,
      ...labelQuery,
      ...listQuery,
    }),
    responses: { 200: { description: 'A page of the list.', schema: answer } },
    filtersByPlace: true,
    rows: {
      schema,
      columns: () => kind.columns.map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
}

function listingOf<Item extends Annotations>(kind: Kind<Item>): ListSource<NameCall> {
  return {
    cursors: kind.cursors,
    cursorContext: ({ query: { namePrefix, ignoreAccents, label = [] } }) =>
      cursorContext(kind.operationId, {
        ...(ignoreAccents === true && { ignoreAccents }),
        ...(label.length > 0 && { label: selectorText(label) }),
        namePrefix: namePrefix === undefined ? null : collated('namePrefix', namePrefix),
      }),
    read: async ({ query, places, signal }, { after, ...asked }) => {
      const { namePrefix, ignoreAccents, label = [] } = query;
      const from = parsePosition(z.string().min(1).optional(), after);
      const question = { ...asked, namePrefix, ignoreAccents, after: from, signal };
      const isGiven = (item: Item) =>
        places.allows(kind.placeOf(item)) && matchesLabels(label, item);
      const page =
        places.isRestricted || label.length > 0
          ? await listMatching(question, kind.list, (rows) =>
              rows.filter(({ item }) => isGiven(item)),
            )
          : await kind.list(question);
      const positions = page.rows.map(({ sortKey }) => sortKey);
      return { items: page.rows.map(({ item }) => kind.show(item)), positions, after: page.after };
    },
  };
}

export function columnOf(name: string): Column {
  return { name, of: (row) => row[name] };
}
