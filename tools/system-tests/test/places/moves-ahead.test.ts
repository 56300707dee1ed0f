import { openBeforeAll } from '@engawa/testing';
import { ask, askSuccessfully } from '../running-service.ts';
import { Services } from '../services.ts';

const services = openBeforeAll(() => Services.start());

/** The devices of a place, according to the registry and to query. */
async function devicesAt(place: string): Promise<{ registry: string[]; query: string[] }> {
  const { registry, query } = services.urls;
  const placed = await ask(`${registry}/v1/places/${place}/devices`);
  const latest = await ask(`${query}/v1/places/${place}/latest`);
  const { items: devices } = placed.body as unknown as { items: { device: string }[] };
  const { items } = latest.body as unknown as { items: { device: { id: string } }[] };
  return {
    registry: devices.map(({ device }) => device),
    query: items.map(({ device }) => device.id),
  };
}

it('a move a minute ahead is now for the registry and for query', async () => {
  const { registry } = services.urls;
  const put = (path: string, body: object) =>
    askSuccessfully(registry + path, { method: 'PUT', body });
  for (const id of ['home', 'office']) await put(`/v1/places/${id}`, { name: id });
  await put('/v1/devices/cat', {});
  await put('/v1/places/home/devices/cat', { since: Date.now() - 60_000 });
  const since = Date.now() + 55_000;
  await put('/v1/places/office/devices/cat', { since });
  // Query caches memberships for 5 seconds, but has not read these before.
  const [home, office] = [await devicesAt('home'), await devicesAt('office')];
  expect(Date.now()).toBeLessThan(since);
  expect({ home, office }).toEqual({
    home: { registry: [], query: [] },
    office: { registry: ['cat'], query: ['cat'] },
  });
});
