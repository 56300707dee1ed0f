import { deviceKey } from '@engawa/keys';
import { until } from '@engawa/testing';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

const devices = ['live-1', 'live-2', 'live-3'];
const now = Date.now();

/** Stores a reading of each device, in one batch. */
function post(services: MeteredServices, time: number): Promise<unknown> {
  const body = devices.map((device) => ({ device, ts: time, temperature: 21.5 }));
  return services.ask('ingestion', '/v1/readings', { method: 'POST', body });
}

/** Registers the devices, so that the cost is without their registration. */
async function register(services: MeteredServices): Promise<void> {
  await post(services, now);
  await until('registered devices', async () => {
    const keys = devices.map((device) => deviceKey(device));
    return (await services.table.getAll(keys, { consistent: true })).items.length === keys.length;
  });
}

/** Stores the readings while a client listens. @returns number of events that the client receives */
async function postWithListener(services: MeteredServices, time: number): Promise<number> {
  const filter = devices.map((device) => `device=${device}`).join('&');
  const controller = new AbortController();
  const { body } = await fetch(`${services.urlOf('ingestion')}/v1/live?${filter}`, {
    signal: controller.signal,
  });
  if (body === null) throw new Error('the response has no body');
  await post(services, time);
  let text = '';
  const events = () => text.split('event: reading').length - 1;
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (events() >= devices.length) break;
  }
  controller.abort();
  return events();
}

/** Readings that are sent to clients of GET /v1/live. */
export const livePatterns: Pattern[] = [
  {
    ask: `live readings of ${devices.length} devices, while a client listens`,
    how: 'the blocks, and BatchGetItem of the devices, for their places',
    requests:
      '1 per 100 devices, once in 5 s; none without a listener whose filter may select them',
    expected: { BatchWriteItem: 1, BatchGetItem: 1 },
    prepare: register,
    run: (services) => postWithListener(services, now + 1),
    gives: devices.length,
  },
  {
    ask: 'further live readings of these devices, within 5 s',
    how: 'the blocks; the places are cached',
    requests: '0',
    expected: { BatchWriteItem: 1 },
    run: (services) => postWithListener(services, now + 2),
    gives: devices.length,
  },
];
