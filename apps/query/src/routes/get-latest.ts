import { integerParameter, route } from '@engawa/http';
import { deviceId } from '@engawa/model';
import { z } from 'zod';
import { deviceNotFound } from '../devices/device-store.ts';
import { latestText } from '../latest/latest-texts.ts';
import { latestOutput } from '../schemas.ts';
import type { Route } from '@engawa/http';
import type { VisibleReadings } from '../visible-readings.ts';

export const readingsOfEach = integerParameter({ minimum: 1, maximum: 1000 }).prefault(1);

/** Maximum readings that need no slot for large pages. */
export const maxSmallReadings = 200;

export const latestDescription =
  'A reading that is more than a minute ahead of its receipt counts as one of the time of its receipt, which takes up to five further Queries. For a device whose partition key is hot (`/v1/hot-partitions`), the response may be up to a second old.';

export const getLatest = ({ visible }: { visible: VisibleReadings }): Route =>
  route({
    method: 'get',
    path: '/v1/devices/{id}/latest',
    operationId: 'getLatest',
    summary: 'A device and its latest readings',
    description: latestDescription,
    tags: ['readings'],
    params: z.strictObject({ id: deviceId }),
    query: z.strictObject({
      limit: readingsOfEach.describe('Maximum number of readings.'),
    }),
    responses: {
      200: { description: 'The device and its newest readings.', schema: latestOutput },
    },
    problems: ['device-not-found'],
    filtersByPlace: true,
    handle: async ({ params: { id }, query: { limit }, ...limits }) => {
      const { work, budget } = limits;
      const compute = async () => {
        const latest = await visible.latest(id, limit, limits);
        if (latest === undefined) throw deviceNotFound(id);
        return work.run(latestText(latest, budget.maxBytes));
      };
      const isLarge = limit > maxSmallReadings;
      return { status: 200, body: await (isLarge ? work.holdPage(compute) : compute()) };
    },
  });
