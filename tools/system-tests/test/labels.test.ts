import { createClient } from '@engawa/client';
import { until } from '@engawa/testing';
import { Services } from './services.ts';
import type { Client, ingestion, ProblemError, registry } from '@engawa/client';

const minute = 60_000;
const labels = { floor: '2', constructor: 'Shelly' };
const metadata = { bought: { year: 2024 } };

let services: Services;
let client: Client;
beforeAll(async () => {
  services = await Services.start({ PURGE_QUIESCENCE_SECONDS: '1', PURGE_REFRESH_MS: '1000' });
  client = createClient({ url: services.urls });
});
afterAll(() => services.close());

/** Stores a device's message as ingestion does. */
async function send(device: string, body: ingestion.Reading[]) {
  const answer = await client.ingestion.postReadings({ device, body });
  expect(answer.body).toMatchObject({ stored: body.length });
}

const device = async (id: string) => (await client.registry.getDevice({ id })).body;

async function found(asked: registry.ListDevicesInput): Promise<string[]> {
  const { body } = await client.registry.listDevices(asked);
  return body.items.map(({ id }) => id);
}

async function statusOf(asked: Promise<{ status: number }>): Promise<number> {
  return (await asked.catch((error: unknown) => error as ProblemError)).status;
}

it('labels and metadata are kept when ingestion updates the device', async () => {
  await client.registry.putPlace({ id: 'home', body: { name: 'Home' } });
  await client.registry.putDevice({ id: 'lamp', body: { labels, metadata } });
  await client.registry.placeDevice({ place: 'home', device: 'lamp', body: {} });
  // The first reading sets last seen and kind; half an hour of readings in one block increases the
  // block span.
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
  expect(await found({ label: ['floor=2'], kind: 'climate' })).toEqual(['lamp']);
  expect(await found({ label: ['floor=2'], place: 'home', order: '-lastSeen' })).toEqual(['lamp']);
});

it('a device registered by ingestion can be labelled; a recreated device has no labels', async () => {
  await send('tap', [{ ts: Date.now() - minute, contact: 'open' }]);
  await until(
    'a device',
    async () => (await statusOf(client.registry.getDevice({ id: 'tap' }))) === 200,
  );
  await client.registry.renameDevice({ id: 'tap', body: { labels: { own: 'tap' }, metadata } });
  expect(await found({ label: ['own'] })).toEqual(['tap']);
  expect(await statusOf(client.registry.deleteDevice({ id: 'tap' }))).toBe(204);
  expect(await found({ label: ['own'] })).toEqual([]);
  const make = () => client.registry.putDevice({ id: 'tap', body: {} });
  const isMade = async () => (await statusOf(make())) === 201;
  await until('another device of that id', isMade);
  expect(await device('tap')).not.toHaveProperty('labels');
  expect(await device('tap')).not.toHaveProperty('metadata');
  expect(await found({ label: ['own'] })).toEqual([]);
});
