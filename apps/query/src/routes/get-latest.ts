import { integerParameter, route } from '@engawa/http';
import { z } from 'zod';
import { deviceId } from '@engawa/model';
import { showDevice, shownDevice, shownReading, showReading } from '../schemas.ts';
import type { Route } from '@engawa/http';
import type { ReadingStore } from '../reading-store.ts';

const query = z.strictObject({
  limit: integerParameter({ minimum: 1, maximum: 1000 })
    .prefault(1)
    .describe('How many readings to give at most.'),
});

const answer = z.strictObject({
  device: shownDevice,
  readings: z.array(shownReading).describe('The newest first.'),
});

export const getLatest = ({ readings }: { readings: ReadingStore }): Route =>
  route({
    method: 'get',
    path: '/v1/devices/{id}/latest',
    operationId: 'getLatest',
    summary: 'A device and its latest readings',
    tags: ['readings'],
    params: z.strictObject({ id: deviceId }),
    query,
    answers: { 200: { description: 'The device and its newest readings.', schema: answer } },
    problems: ['device-not-found'],
    handle: async ({ params, query: { limit }, signal }) => {
      const latest = await readings.latest(params.id, limit, signal);
      return {
        status: 200,
        body: { device: showDevice(latest.device), readings: latest.readings.map(showReading) },
      };
    },
  });
