import { cursorContext, repeatedParameter, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { latestDescription } from './get-latest.ts';
import {
  latestPage,
  latestQuery,
  maxDevicesPerPage,
  cursorOutput,
  devicesOutput,
} from './latest-page.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { VisibleReadings } from '../visible-readings.ts';

export interface GetLatestOfManyOptions {
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** The latest readings of named devices. */
export function getLatestOfMany(options: GetLatestOfManyOptions): Route {
  const operationId = 'getLatestOfMany';
  const device = repeatedParameter(deviceId, { maximum: maxDevicesPerPage }).describe(
    `The ids of the devices, at most ${maxDevicesPerPage}: \`device=a&device=b\`.`,
  );
  const missing = z.array(z.string()).describe('The ids without a device.');
  return route({
    method: 'get',
    path: '/v1/latest',
    operationId,
    summary: 'Several devices and their latest readings',
    description: latestDescription,
    tags: ['readings'],
    query: z.strictObject({ device, ...latestQuery }),
    responses: {
      200: {
        description: 'The devices, in the order of the request.',
        schema: z.strictObject({ items: devicesOutput, missing, cursor: cursorOutput }),
      },
    },
    filtersByPlace: true,
    handle: async ({ query, work, ...limits }) => {
      const ids = [...new Set(query.device)];
      const request = cursorContext(operationId, { device: ids });
      const after = (last?: string) =>
        last === undefined ? ids : ids.slice(ids.indexOf(last) + 1);
      const page = await latestPage({
        ...options,
        request,
        query,
        devices: after,
        limits,
        work,
      });
      return { status: 200, body: page };
    },
  });
}
