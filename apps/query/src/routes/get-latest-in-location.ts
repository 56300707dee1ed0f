import { cursorContext, route } from '@engawa/http';
import { compareBytes } from '@engawa/keys';
import { placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { latestDescription } from './get-latest.ts';
import { latestPage, latestQuery, cursorOutput, devicesOutput } from './latest-page.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { Location } from '../memberships/membership-store.ts';
import type { VisibleReadings } from '../visible-readings.ts';
import type { LatestPageOptions } from './latest-page.ts';

export interface GetLatestInLocationOptions {
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** The latest readings of the devices in a room, and at a place. */
export function getLatestInLocation(options: GetLatestInLocationOptions): Route[] {
  return [latestOfRoom(options), latestOfPlace(options)];
}

function latestOfRoom(options: GetLatestInLocationOptions): Route {
  const operationId = 'getRoomLatest';
  return route({
    method: 'get',
    path: '/v1/rooms/{place}/{room}/latest',
    operationId,
    summary: 'The devices in a room now and their latest readings',
    description: `Includes readings from before a device came there. ${latestDescription}`,
    tags: ['readings'],
    params: z.strictObject({ place: placeId, room: roomId }),
    query: z.strictObject(latestQuery),
    responses,
    problems: ['room-not-found'],
    filtersByPlace: true,
    handle: async ({ params, query, work, ...limits }) => {
      const request = cursorContext(operationId, params);
      return present(options, params, { request, query, limits, work });
    },
  });
}

function latestOfPlace(options: GetLatestInLocationOptions): Route {
  const operationId = 'getPlaceLatest';
  return route({
    method: 'get',
    path: '/v1/places/{id}/latest',
    operationId,
    summary: 'The devices at a place now and their latest readings',
    description: `Includes readings from before a device came there. ${latestDescription}`,
    tags: ['readings'],
    params: z.strictObject({ id: placeId }),
    query: z.strictObject(latestQuery),
    responses,
    problems: ['place-not-found'],
    filtersByPlace: true,
    handle: async ({ params, query, work, ...limits }) => {
      const request = cursorContext(operationId, params);
      return present(options, { place: params.id }, { request, query, limits, work });
    },
  });
}

const responses = {
  200: {
    description: 'The devices in the byte order of their ids.',
    schema: z.strictObject({ items: devicesOutput, cursor: cursorOutput }),
  },
} as const;

async function present(
  options: GetLatestInLocationOptions,
  location: Location,
  asked: Pick<LatestPageOptions, 'request' | 'query' | 'limits' | 'work'>,
) {
  const ids = await options.visible.presentAt(location, asked.limits);
  const after = (last?: string) =>
    last === undefined ? ids : ids.filter((id) => compareBytes(id, last) > 0);
  // A device without an item is being purged.
  const { items, cursor } = await latestPage({ ...options, ...asked, devices: after });
  return { status: 200 as const, body: { items, cursor } };
}
