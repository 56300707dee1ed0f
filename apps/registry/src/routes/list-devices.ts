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
import { placeId, roomId } from '@engawa/model';
import { labelQuery } from '../annotations/label-selector.ts';
import { filterQuestion } from '../devices/device-filter.ts';
import { deviceFields, deviceInList, showListed, showSeen } from '../devices/device-schemas.ts';
import { durationParameter } from '../devices/duration-parameter.ts';
import { ignoreAccentsParameter, namePrefixParameter } from '../lists/name-query.ts';
import { columnOf } from './list-places.ts';
import type {
  CursorCodec,
  ListCall,
  ListSource,
  PageRequest,
  PageResult,
  Places,
  Route,
} from '@engawa/http';
import type { Device } from '@engawa/model';
import type { ShardRow } from '@engawa/table';
import type { DeviceStore } from '../devices/device-store.ts';
import type { ListedDevice } from '../devices/list-named.ts';

export interface ListDevicesOptions {
  devices: DeviceStore;
  cursors: CursorCodec;
}

const operationId = 'listDevices';

const description = [
  'Sorted by name, or by when they were last seen: `lastSeen` has the longest silent first, `-lastSeen` the most recent',
  'first. That order is exact to the hour, since updating it with each reading would cost three times as much as storing the reading.',
  '',
  '`silentFor` returns exactly the devices without a message for that time, longest silent first; devices without any message come',
  'before them. For each device that was last seen within the hour before that time, its newest reading is looked up, for half a',
  'read unit. So PT1H and more costs next to nothing; less than that costs half a unit per device.',
  '',
  '`status`, `kind`, `place`, `room` and `label` filter any of these lists; a device must match all of them. With `place`, the cost',
  'grows with the place, without it with the whole list: a page may then have few devices, or none, and still a cursor.',
].join('\n');

const query = z
  .strictObject({
    namePrefix: namePrefixParameter({ idsBehind: 1 }),
    ignoreAccents: ignoreAccentsParameter,
    silentFor: durationParameter({ from: 'PT1M', to: 'P3650D' })
      .optional()
      .describe(
        'Only devices without a message for this duration: ISO 8601, in weeks, or in days, hours, minutes and seconds, such as PT1H.',
      ),
    order: z
      .enum(['name', 'lastSeen', '-lastSeen'])
      .optional()
      .describe('By default `name`; with `silentFor`, `lastSeen`.'),
    status: deviceFields.status.describe('Only devices of this status.'),
    kind: deviceFields.kind.describe('Only devices of this kind.'),
    place: placeId.optional().describe('Only devices at this place now, by its id.'),
    room: roomId.optional().describe('Only devices in this room of the place now.'),
    ...labelQuery,
    ...listQuery,
  })
  .refine(({ place, room }) => room === undefined || place !== undefined, {
    path: ['room'],
    error: 'must be given with query.place',
  })
  .refine(
    ({ silentFor, order }) => silentFor === undefined || (order ?? 'lastSeen') === 'lastSeen',
    { path: ['order'], error: 'must be lastSeen with silentFor' },
  )
  .refine(
    ({ namePrefix, silentFor, order }) =>
      namePrefix === undefined || (silentFor === undefined && (order ?? 'name') === 'name'),
    { path: ['namePrefix'], error: 'must not be given with another order than name' },
  );

type Query = z.output<typeof query>;

interface DevicesCall extends ListCall {
  query: Query;
  places: Places;
  signal: AbortSignal;
}

/** The content of a cursor of silent devices: the time that the first request resolved, and the position. */
const silentPosition = z.tuple([z.int(), z.string()]);

export function listDevices(options: ListDevicesOptions): Route {
  const listing = listingOf(options);
  return route({
    method: 'get',
    path: '/v1/devices',
    operationId,
    summary: 'Devices by name or by last-seen time; with `silentFor` only silent devices',
    description,
    tags: ['devices'],
    query,
    responses: {
      200: {
        description: 'A page of devices.',
        schema: z.strictObject({ items: z.array(deviceInList), cursor: nextCursor }),
      },
    },
    filtersByPlace: true,
    rows: {
      schema: deviceInList,
      columns: ({ query }) =>
        [
          ...['id', 'name', 'kind', 'status', 'registeredAt'],
          ...(hasWhole(query) ? ['lastSeenAt', 'place', 'room', 'labels', 'metadata'] : ['labels']),
        ].map(columnOf),
      each: (call) => readRows(listing, call),
    },
    handle: async (call) => {
      const { items, cursor } = await readPage(listing, call);
      return { status: 200, body: { items, cursor } };
    },
  });
}

type DevicePage = PageResult & { items: ReturnType<typeof showSeen>[] };

function listingOf({ devices, cursors }: ListDevicesOptions): ListSource<DevicesCall, DevicePage> {
  return {
    cursors,
    cursorContext: ({ query: { namePrefix, ignoreAccents, order, silentFor, ...filter } }) =>
      cursorContext(operationId, {
        ...(ignoreAccents && { ignoreAccents }),
        ...filterQuestion(filter),
        namePrefix: namePrefix === undefined ? null : collated('namePrefix', namePrefix),
        order: order ?? (silentFor === undefined ? 'name' : 'lastSeen'),
        silentFor: silentFor ?? null,
      }),
    read: (call, page) => {
      if (call.query.silentFor !== undefined) return readSilent(devices, call, page);
      return isBySeen(call.query) ? readSeen(devices, call, page) : readNamed(devices, call, page);
    },
  };
}

function isBySeen({ order = 'name', silentFor }: Query): boolean {
  return order !== 'name' || silentFor !== undefined;
}

/** Whether the list has devices with all properties. */
function hasWhole(query: Query): boolean {
  return isBySeen(query) || query.place !== undefined;
}

async function readNamed(
  devices: DeviceStore,
  { query, places, signal }: DevicesCall,
  { after, ...asked }: PageRequest,
): Promise<DevicePage> {
  const from = parsePosition(z.string().min(1).optional(), after);
  const { namePrefix, ignoreAccents } = query;
  const selection = { filter: query, places, namePrefix, ignoreAccents };
  const page = await devices.list({ ...asked, ...selection, after: from, signal });
  const isWhole = (device: ListedDevice | Device): device is Device =>
    hasWhole(query) && 'lastSeenAt' in device;
  const items = page.rows.map(({ item }) => (isWhole(item) ? showSeen(item) : showListed(item)));
  return { items, positions: positionsOf(page.rows), after: page.after };
}

async function readSeen(
  devices: DeviceStore,
  { query, places, signal }: DevicesCall,
  { after, ...asked }: PageRequest,
): Promise<DevicePage> {
  const from = parsePosition(z.string().min(1).optional(), after);
  const newestFirst = query.order === '-lastSeen';
  const selection = { filter: query, places };
  const question = { ...asked, ...selection, newestFirst, after: from, signal };
  const page = await devices.listBySeen(question);
  const items = page.rows.map(({ device }) => showSeen(device));
  return { items, positions: positionsOf(page.rows), after: page.after };
}

async function readSilent(
  devices: DeviceStore,
  { query, places, signal }: DevicesCall,
  { after, ...asked }: PageRequest,
): Promise<DevicePage> {
  const { silentFor = 0 } = query;
  const [before, from] = parsePosition(silentPosition.optional(), after) ?? [
    Date.now() - silentFor,
  ];
  const selection = { filter: query, places };
  const page = await devices.listSilent({ ...asked, ...selection, before, after: from, signal });
  const next = page.after === undefined ? undefined : [before, page.after];
  const positions = page.rows.map(({ sortKey }) => [before, sortKey]);
  return { items: page.rows.map(({ device }) => showSeen(device)), positions, after: next };
}

function positionsOf(rows: readonly ShardRow[]): string[] {
  return rows.map(({ sortKey }) => sortKey);
}
