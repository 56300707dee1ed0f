import { until } from '@engawa/testing';
import { Services } from './services.ts';

const minute = 60_000;
const labels = { floor: '2', constructor: 'Shelly' };
const metadata = { bought: { year: 2024 } };

let services: Services;
beforeAll(async () => {
  services = await Services.start({ ERASURE_SETTLE_SECONDS: '1', ERASURE_REFRESH_MS: '1000' });
});
afterAll(() => services.close());

async function ask(path: string, method = 'GET', body?: object) {
  const answer = await fetch(services.urls.registry + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Device };
}

interface Device {
  kind?: string;
  lastSeenAt?: string;
  labels?: object;
  metadata?: object;
  items?: { id: string }[];
}

/** What a device sends, as ingestion stores it. */
async function send(device: string, readings: { ts: number; [field: string]: unknown }[]) {
  const answer = await fetch(`${services.urls.ingestion}/v1/readings?device=${device}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(readings),
  });
  expect(await answer.json()).toMatchObject({ stored: readings.length });
}

async function device(id: string): Promise<Device> {
  return (await ask(`/v1/devices/${id}`)).body;
}

async function found(search: string): Promise<unknown[] | undefined> {
  const { body } = await ask(`/v1/devices?${search}`);
  return body.items?.map(({ id }) => id);
}

it('labels and metadata outlast what ingestion writes to the device', async () => {
  await ask('/v1/places/home', 'PUT', { name: 'Home' });
  await ask('/v1/devices/lamp', 'PUT', { labels, metadata });
  await ask('/v1/places/home/devices/lamp', 'PUT', {});
  // The first reading tells when it was heard of and of which kind it is; those of half an hour in one block raise its span.
  const now = Date.now();
  await send('lamp', [{ ts: now - 60 * minute, temperature: 20 }]);
  await until('a kind', async () => (await device('lamp')).kind === 'climate');
  await until('last seen', async () => (await device('lamp')).lastSeenAt !== undefined);
  const times = Array.from({ length: 30 }, (_, index) => now - (30 - index) * minute);
  await send(
    'lamp',
    times.map((ts) => ({ ts, temperature: 21 })),
  );
  expect(await device('lamp')).toMatchObject({ labels, metadata, kind: 'climate' });
  expect(await found('label=floor=2&kind=climate')).toEqual(['lamp']);
  expect(await found('label=floor=2&place=home&order=-lastSeen')).toEqual(['lamp']);
});

it('a device that ingestion has registered is labelled, and the next one of its id is not', async () => {
  await send('tap', [{ ts: Date.now() - minute, contact: 'open' }]);
  await until('a device', async () => (await ask('/v1/devices/tap')).status === 200);
  await ask('/v1/devices/tap', 'PATCH', { labels: { own: 'tap' }, metadata });
  expect(await found('label=own')).toEqual(['tap']);
  expect((await ask('/v1/devices/tap', 'DELETE')).status).toBe(204);
  expect(await found('label=own')).toEqual([]);
  const isMade = async () => (await ask('/v1/devices/tap', 'PUT', {})).status === 201;
  await until('another device of that id', isMade);
  expect(await device('tap')).not.toHaveProperty('labels');
  expect(await device('tap')).not.toHaveProperty('metadata');
  expect(await found('label=own')).toEqual([]);
});
