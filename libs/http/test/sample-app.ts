import { invariant, Problem } from '@engawa/errors';
import { parseNumber } from '@engawa/model';
import { z } from 'zod';
import { pageQuery } from '../src/paging/page-query.ts';
import { integerParameter } from '../src/request/integer-parameter.ts';
import { repeatedParameter } from '../src/request/repeated-parameter.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';

const device = z
  .strictObject({ id: z.string(), value: z.number(), seen: z.iso.datetime() })
  .meta({ id: 'Device' });

const getDevice = route({
  method: 'get',
  path: '/v1/devices/{id}',
  operationId: 'getDevice',
  summary: 'One device',
  params: z.strictObject({ id: z.string().max(100) }),
  query: z.strictObject({ verbose: z.enum(['true', 'false']).optional() }),
  responses: { 200: { description: 'The device', schema: device } },
  problems: ['device-not-found', 'table-throttled'],
  handle({ params: { id } }) {
    if (id === 'nobody') throw new Problem('device-not-found', 'There is no device nobody.');
    if (id === 'hot') throw new Problem('table-throttled', 'The table is busy.');
    if (id === 'broken') throw new Error('secret of the cause');
    if (id === 'impossible') invariant(undefined, 'a device has a kind');
    const value = parseNumber('0.12345678901234567890123456789');
    return { status: 200, body: { id, value, seen: new Date(0) }, headers: { 'X-Own': 'yes' } };
  },
});

const listDevices = route({
  method: 'get',
  path: '/v1/devices',
  operationId: 'listDevices',
  summary: 'Devices',
  query: z
    .strictObject({
      ...pageQuery,
      from: integerParameter({ minimum: 0, maximum: 99 }).optional(),
      to: integerParameter({ minimum: 0, maximum: 99 }).optional(),
    })
    .refine(({ from = 0, to = 99 }) => from <= to, {
      path: ['from'],
      message: 'must not be over query.to',
    }),
  responses: {
    200: {
      description: 'A page',
      schema: z.strictObject({ limit: z.int(), devices: z.array(device) }),
    },
  },
  handle: ({ query }) => ({ status: 200, body: { limit: query.limit, devices: [] } }),
});

const renameDevice = route({
  method: 'patch',
  path: '/v1/devices/{id}',
  operationId: 'renameDevice',
  summary: 'Rename a device',
  params: z.strictObject({ id: z.string().max(100) }),
  body: z.strictObject({
    name: z.string().min(1).max(20),
    labels: z.array(z.int()).max(2).optional(),
  }),
  responses: {
    200: { description: 'Renamed', schema: z.strictObject({ name: z.string() }) },
    204: { description: 'It had that name already' },
  },
  problems: ['version-mismatch'],
  handle: ({ body }) =>
    body.name === 'same' ? { status: 204 } : { status: 200, body: { name: body.name } },
});

const latest = route({
  method: 'get',
  path: '/v1/latest',
  operationId: 'latest',
  summary: 'Of several devices',
  query: z.strictObject({
    device: repeatedParameter(z.string().min(1), { maximum: 3 }).describe('Up to three.'),
    field: repeatedParameter(z.string(), { maximum: 2 }).optional(),
  }),
  responses: { 200: { description: 'The parsed input', schema: z.looseObject({}) } },
  handle: ({ query }) => ({ status: 200, body: query }),
});

/** A service of four routes and one that waits, on a free port, with its log and metrics. */
export async function startSample() {
  const waiting = Promise.withResolvers<AbortSignal>();
  const release = Promise.withResolvers<undefined>();
  const wait = route({
    method: 'get',
    path: '/v1/wait',
    operationId: 'wait',
    summary: 'Waits for the test',
    responses: { 200: { description: 'Let go', schema: z.strictObject({}) } },
    async handle({ signal }) {
      waiting.resolve(signal);
      signal.addEventListener('abort', () => release.reject(new Error('given up')));
      await release.promise;
      return { status: 200, body: {} };
    },
  });
  const app = await startApp({
    title: 'Sample <service>',
    routes: [getDevice, listDevices, renameDevice, wait, latest],
  });
  return {
    ...app,
    /** The signal of the first request to /v1/wait, once it has arrived. */
    waiting: waiting.promise,
    release: () => release.resolve(undefined),
  };
}

export type Sample = Awaited<ReturnType<typeof startSample>>;

/** Polls until the condition holds; Jest's timeout ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
