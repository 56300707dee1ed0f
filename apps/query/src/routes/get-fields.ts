import { cursorContext, route } from '@engawa/http';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { fieldsPage, fieldsPageQuery } from '../fields/fields-page.ts';
import { fieldsOutput, ownFieldsOutput } from '../fields/field-schemas.ts';
import { ownFieldsPage, ownFieldsQuery } from '../fields/own-fields-page.ts';
import { cursorOutput } from './latest-page.ts';
import type { Route } from '@engawa/http';
import type { FieldsPageOptions } from '../fields/fields-page.ts';

const description =
  'Includes fields that the newest reading lacks, such as a battery level that is reported once a day. Costs one Query per device, and one for each further 1,000 readings. Values of readings that are more than a minute ahead of their receipt count as of the time of their receipt.';

/** The last value of each field of a device, and of each device in a room or at a place. */
export function getFields(options: FieldsPageOptions): Route[] {
  return [ofDevice(options), ofRoom(options), ofPlace(options)];
}

function ofDevice(options: FieldsPageOptions): Route {
  const operationId = 'getFields';
  return route({
    method: 'get',
    path: '/v1/devices/{id}/fields',
    operationId,
    summary: 'The fields of a device, each with its last value',
    description: `${description} One more Query finds the first report of each field.`,
    tags: ['fields'],
    params: z.strictObject({ id: deviceId }),
    query: ownFieldsQuery,
    responses: { 200: { description: 'The device and its fields.', schema: ownFieldsOutput } },
    problems: ['device-not-found'],
    filtersByPlace: true,
    handle: async ({ params: { id }, query, work, ...limits }) => {
      const request = cursorContext(operationId, { id, ...query });
      return {
        status: 200,
        body: await ownFieldsPage(options, { id, request, query, limits, work }),
      };
    },
  });
}

const responses = {
  200: {
    description: 'The devices in the byte order of their ids.',
    schema: z.strictObject({ items: z.array(fieldsOutput), cursor: cursorOutput }),
  },
} as const;

function ofRoom(options: FieldsPageOptions): Route {
  const operationId = 'getRoomFields';
  return route({
    method: 'get',
    path: '/v1/rooms/{place}/{room}/fields',
    operationId,
    summary: 'The devices in a room now, or at a time, each with the last values of its fields',
    description,
    tags: ['fields'],
    params: z.strictObject({ place: placeId, room: roomId }),
    query: fieldsPageQuery,
    responses,
    problems: ['room-not-found'],
    filtersByPlace: true,
    handle: async ({ params, query, work, ...limits }) => {
      const request = cursorContext(operationId, { ...params, ...query });
      const body = await fieldsPage(options, params, { request, query, limits, work });
      return { status: 200, body };
    },
  });
}

function ofPlace(options: FieldsPageOptions): Route {
  const operationId = 'getPlaceFields';
  return route({
    method: 'get',
    path: '/v1/places/{id}/fields',
    operationId,
    summary: 'The devices at a place now, or at a time, each with the last values of its fields',
    description,
    tags: ['fields'],
    params: z.strictObject({ id: placeId }),
    query: fieldsPageQuery,
    responses,
    problems: ['place-not-found'],
    filtersByPlace: true,
    handle: async ({ params, query, work, ...limits }) => {
      const request = cursorContext(operationId, { ...params, ...query });
      const body = await fieldsPage(
        options,
        { place: params.id },
        { request, query, limits, work },
      );
      return { status: 200, body };
    },
  });
}
