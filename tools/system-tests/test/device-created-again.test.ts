import { deviceKey, devicePartition } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { aDevice, until } from '@engawa/testing';
import { Services } from './services.ts';

let services: Services;
beforeAll(async () => (services = await Services.start({ PURGE_QUIESCENCE_SECONDS: '1' })));
afterAll(() => services.close());

const hour = 3_600_000;
const yesterday = Date.now() - 24 * hour;
const shardCount = 4;
const shards = [{ since: 0, count: shardCount, from: yesterday }];

async function send(
  service: 'ingestion' | 'registry',
  method: string,
  path: string,
  body?: object,
) {
  const answer = await fetch(services.urls[service] + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answer.status;
}

/** Old readings, which do not change the device's item. */
async function upload(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const ts = new Date(yesterday - index * hour).toISOString();
    const body = { device: 'meter', ts, power: index };
    expect(await send('ingestion', 'POST', '/v1/readings', body)).toBe(202);
  }
}

async function shownReadings(): Promise<number> {
  const answer = await fetch(
    `${services.urls.query}/v1/devices/meter/readings?from=now-10d&to=now&limit=100`,
  );
  const { items } = (await answer.json()) as { items: unknown[] };
  return items.length;
}

async function storedIn(shard: number): Promise<number> {
  const pk = devicePartition('meter', shard);
  const { items } = await services.table.query({
    pk,
    sk: { beginsWith: '#TS#' },
    consistent: true,
  });
  return items.length;
}

/** Which shard has a reading depends on its hash: of twenty, each shard but one may have none. */
async function storedOutsideTheFirstShard(): Promise<number> {
  let stored = 0;
  for (let shard = 1; shard < shardCount; shard += 1) stored += await storedIn(shard);
  return stored;
}

it('a recreated device returns readings in shards of the former device', async () => {
  const { table } = services;
  await table.put(deviceItem(aDevice({ id: 'meter', shards }), { list: 1, seen: 1 }));
  await upload(20);
  expect(await send('registry', 'DELETE', '/v1/devices/meter')).toBe(204);
  await until('the device to be created', async () => {
    return (await send('registry', 'PUT', '/v1/devices/meter', {})) === 201;
  });
  expect(await shownReadings()).toBe(0);
  await upload(20);
  expect(await storedOutsideTheFirstShard()).toBeGreaterThan(0);
  expect(await shownReadings()).toBe(20);

  expect(await send('registry', 'DELETE', '/v1/devices/meter')).toBe(204);
  await until('the purge job to have ended', async () => {
    const tombstone = await table.get(deviceKey('meter'), { consistent: true });
    return tombstone?.['erasedAt'] !== undefined;
  });
  for (let shard = 0; shard < shardCount; shard += 1) expect(await storedIn(shard)).toBe(0);
});
