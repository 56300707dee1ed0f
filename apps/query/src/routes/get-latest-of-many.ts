import { questionOf, repeatedParameter, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { hotMayBeOlder } from './get-latest.ts';
import { latestPage, latestQuery, mostDevices, shownCursor, shownDevices } from './latest-page.ts';
import type { CursorCodec, Route } from '@engawa/http';
import type { VisibleReadings } from '../visible-readings.ts';

export interface GetLatestOfManyOptions {
  visible: VisibleReadings;
  cursors: CursorCodec;
}

/** The latest of devices that are named. */
export function getLatestOfMany(options: GetLatestOfManyOptions): Route {
  const operationId = 'getLatestOfMany';
  const device = repeatedParameter(deviceId, { maximum: mostDevices }).describe(
    `The ids of the devices, at most ${mostDevices}: \`device=a&device=b\`.`,
  );
  const missing = z.array(z.string()).describe('Those of the ids that no device has.');
  return route({
    method: 'get',
    path: '/v1/latest',
    operationId,
    summary: 'Several devices and their latest readings',
    description: hotMayBeOlder,
    tags: ['readings'],
    query: z.strictObject({ device, ...latestQuery }),
    answers: {
      200: {
        description: 'The devices in the order asked for.',
        schema: z.strictObject({ items: shownDevices, missing, cursor: shownCursor }),
      },
    },
    keepsToPlaces: true,
    handle: async ({ query, ...means }) => {
      const ids = [...new Set(query.device)];
      const question = questionOf(operationId, { device: ids });
      const after = (last?: string) =>
        last === undefined ? ids : ids.slice(ids.indexOf(last) + 1);
      const page = await latestPage({
        ...options,
        question,
        query,
        devices: after,
        means,
      });
      return { status: 200, body: page };
    },
  });
}
