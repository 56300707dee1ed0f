import { openBeforeAll, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { AlternatorServices, serviceNames } from './services.ts';
import type { ServiceName } from '../running-service.ts';

const hour = 3_600_000;
/** In a day that has ended, so that its rollups are computed. */
const noon = Math.floor(Date.now() / (24 * hour)) * 24 * hour - 60 * hour;
const iso = (time: number) => new Date(time).toISOString();

describe('with DYNAMODB_CONSUMED_CAPACITY=total', () => {
  const services = openBeforeAll(() =>
    AlternatorServices.start({
      DYNAMODB_CONSUMED_CAPACITY: 'total',
      REQUEST_UNIT_LIMIT: '6',
    }),
  );

  const items = async (name: ServiceName, path: string, field = 'items') =>
    (await services.ask(name, path)).body[field] as Record<string, unknown>[];
  const put = async (path: string, body: object) =>
    (await services.ask('registry', path, { method: 'PUT', body })).status;

  it('the table command creates the table, and then finds it', async () => {
    expect(await services.runTableCommand()).toBe('present');
  });

  it('readings sent over MQTT are returned as latest readings and by time range', async () => {
    const device = await connectAsync(services.mqttUrl);
    for (let index = 0; index < 48; index++) {
      const ts = iso(noon + (index * hour) / 12);
      await device.publishAsync('engawa/meter/readings', JSON.stringify({ ts, index }), { qos: 1 });
    }
    await device.publishAsync('engawa/meter/readings', '{"cut', { qos: 1 });
    await device.endAsync();
    await until('the last reading', async () => {
      // Until the first reading is stored, there is no such device.
      const { body } = await services.ask('query', '/v1/devices/meter/latest?limit=1');
      return JSON.stringify(body).includes('"index":47');
    });
    const range = `from=${iso(noon)}&to=${iso(noon + hour)}`;
    expect(await items('query', `/v1/devices/meter/readings?${range}`)).toHaveLength(12);
    const { body } = await services.ask('query', '/v1/latest?device=meter&readings=3');
    expect(JSON.stringify(body)).toContain('"index":45');
  });

  it('aggregates are computed and their rollups stored without transactions', async () => {
    const range = `from=${iso(noon)}&to=${iso(noon + 4 * hour)}&every=PT1H`;
    const path = `/v1/devices/meter/aggregates?${range}`;
    const { proxy } = services;
    const ask = async () => {
      const first = proxy.requests.length;
      const buckets = await items('query', path);
      // Services also send background requests, such as for parked blocks; and a slow one reads the
      // device again after 5 s.
      const requests = proxy.requests.slice(first);
      const ofMeter = requests.filter(({ body }) => JSON.stringify(body).includes('meter'));
      const operations = ofMeter.map(({ operation }) => operation);
      return { buckets, operations: operations.filter((operation) => operation !== 'GetItem') };
    };
    const made = await ask();
    expect(made.buckets).toHaveLength(4);
    expect(made.operations.filter((operation) => operation === 'PutItem')).toHaveLength(4);
    const known = await ask();
    expect(known.buckets).toEqual(made.buckets);
    expect(known.operations).toEqual(['Query']);
  });

  it('devices, places and their lists can be changed and read', async () => {
    expect(await put('/v1/devices/lamp', { name: 'Lamp' })).toBe(201);
    const body = { name: 'Meter in the hall' };
    const renamed = await services.ask('registry', '/v1/devices/meter', { method: 'PATCH', body });
    expect(renamed).toMatchObject({ status: 200, body });
    const found = await items('registry', '/v1/devices?namePrefix=meter');
    expect(found).toMatchObject([{ id: 'meter' }]);
    const bySeen = await items('registry', '/v1/devices?order=lastSeen');
    expect(bySeen).toMatchObject([{ id: 'lamp' }, { id: 'meter' }]);
    expect(await put('/v1/places/villa', { name: 'Villa' })).toBe(201);
    const post = async (path: string, entries: object[]) =>
      (await services.ask('registry', path, { method: 'POST', body: entries })).status;
    expect(await post('/v1/devices', [{ id: 'fan', name: 'Fan' }])).toBe(200);
    expect(await post('/v1/places', [{ id: 'yard', name: 'Yard' }])).toBe(200);
    const name = 'Old villa';
    await services.ask('registry', '/v1/places/villa', { method: 'PATCH', body: { name } });
    expect(await items('registry', '/v1/places')).toMatchObject([{ name }, { name: 'Yard' }]);
    expect(await items('registry', '/v1/devices')).toHaveLength(3);
  });

  it('dead letters are listed, replayed and discarded', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const list = () => items('ingestion', `/v1/deadLetters?day=${day}&limit=10`);
    await until('the dead letter', async () => (await list()).length === 1);
    const path = `/v1/deadLetters/${String((await list())[0]?.['id'])}`;
    const replayed = await services.ask('ingestion', `${path}/replay`, { method: 'POST' });
    expect(replayed.status).toBe(200);
    expect((await services.ask('ingestion', path, { method: 'DELETE' })).status).toBe(204);
    expect(await list()).toEqual([]);
  });

  it('a page ends at its unit limit, although the engine reports no units', async () => {
    // More than one Query returns, which is 1 MB.
    const text = 'x'.repeat(2000);
    const readings = Array.from({ length: 800 }, (_, index) => ({
      ts: iso(noon + index * 1000),
      text: `${index}${text}`,
    }));
    const path = '/v1/readings?device=talker';
    const stored = await services.ask('ingestion', path, { method: 'POST', body: readings });
    expect(stored).toMatchObject({ status: 202 });
    const range = `from=${iso(noon)}&to=${iso(noon + hour)}`;
    const sizes: number[] = [];
    let cursor = '';
    do {
      const asked = `/v1/devices/talker/readings?${range}&limit=1000${cursor}`;
      const { status, body } = await services.ask('query', asked);
      expect(status).toBe(200);
      sizes.push((body['items'] as unknown[]).length);
      cursor = typeof body['cursor'] === 'string' ? `&cursor=${body['cursor']}` : '';
    } while (cursor !== '');
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(800);
    expect(sizes.length).toBeGreaterThan(1);
    // It was read less often than others, but with more bytes.
    const [busiest] = await items('query', '/v1/hot-partitions?limit=1', 'partitions');
    expect(busiest).toMatchObject({ index: 'table', unit: 'read', partition: 'DEVICE#talker' });
  });

  it('each service counts units by item size', async () => {
    // The window of heat is a minute, which the tests above may take together on a busy machine.
    const path = '/v1/readings?device=meter-of-now';
    const body = [{ ts: iso(noon), power: 1 }];
    expect(await services.ask('ingestion', path, { method: 'POST', body })).toMatchObject({
      status: 202,
    });
    const range = `from=${iso(noon)}&to=${iso(noon + hour)}`;
    expect(await items('query', `/v1/devices/meter/readings?${range}`)).toHaveLength(12);
    expect(await items('registry', '/v1/devices')).not.toEqual([]);
  });

  it.each([
    ['ingestion', 'table', 'write', 'DEVICE#meter'],
    ['ingestion', 'gsi2', 'write', 'SEEN#DEVICE'],
    ['query', 'table', 'read', 'DEVICE#meter'],
    ['registry', 'gsi1', 'read', 'LIST#DEVICE'],
  ] as const)(
    '%s detects hot partitions by item size: %s %s of %s',
    async (name, index, unit, start) => {
      const partitions = await items(name, '/v1/hot-partitions?limit=100', 'partitions');
      const seen = partitions.filter(
        (one) =>
          one['index'] === index &&
          one['unit'] === unit &&
          String(one['partition']).startsWith(start),
      );
      expect(seen.length).toBeGreaterThan(0);
      for (const { unitsPerSecond } of seen) expect(unitsPerSecond).toBeGreaterThan(0);
    },
  );

  describe('requests that need a transaction are rejected with 501:', () => {
    const type = { attributes: [{ name: 'name', kind: 'text' }] };
    it.each<[ServiceName, string, string, unknown]>([
      ['registry', 'PUT', '/v1/rooms/villa/hall', { name: 'Hall' }],
      ['registry', 'POST', '/v1/places', [{ id: 'p', name: 'P', rooms: [{ id: 'r', name: 'R' }] }]],
      ['registry', 'PUT', '/v1/places/villa/devices/lamp', {}],
      ['registry', 'DELETE', '/v1/devices/lamp', undefined],
      ['registry', 'DELETE', '/v1/places/villa', undefined],
      ['catalog', 'PUT', '/v1/types/Artist', type],
    ])('%s %s %s', async (name, method, path, body) => {
      const answer = await services.ask(name, path, { method, body });
      expect(answer).toMatchObject({
        status: 501,
        body: { type: '/problems/not-supported-by-table' },
      });
      expect(answer.body['detail']).toMatch(/transaction/);
      expect(answer.body['detail']).not.toContain('127.0.0.1');
    });
  });

  it('services stay ready after rejected requests, and nothing is changed', async () => {
    for (const name of serviceNames) {
      const ready = await services.ask(name, '/readyz', { port: 'METRICS_PORT' });
      expect([name, ready.status]).toEqual([name, 200]);
    }
    expect((await services.ask('registry', '/v1/devices/lamp')).status).toBe(200);
    expect(await items('catalog', '/v1/types')).toEqual([]);
  });
});

describe('with the default', () => {
  it('no service is ready, each names the setting to change, and no message is acknowledged', async () => {
    const services = await AlternatorServices.start({}, { areReady: false });
    try {
      for (const name of serviceNames) {
        const waiting = services.linesOf(name).find(({ msg }) => msg === 'waiting for the table');
        expect(waiting?.['missing']).toMatch(/set DYNAMODB_CONSUMED_CAPACITY to total/);
        // Reads still succeed, and change nothing.
        await services.ask(name, name === 'registry' ? '/v1/devices' : '/v1/types');
        const { status, body } = await services.ask(name, '/readyz', { port: 'METRICS_PORT' });
        expect([name, status]).toEqual([name, 503]);
        expect(JSON.stringify(body)).toContain('DYNAMODB_CONSUMED_CAPACITY');
      }
      const operations = services.proxy.requests.map(({ operation }) => operation);
      expect(operations).not.toContain('BatchWriteItem');
    } finally {
      // Then they become ready, and can be closed.
      services.proxy.takesIndexes = true;
      await services.close();
    }
  });
});
