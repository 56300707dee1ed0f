import { deviceKey } from '@engawa/keys';
import { blockItem, keyOf } from '@engawa/model';
import { less } from '@engawa/table';
import { aReading, until } from '@engawa/testing';
import { purgeJobsOf, everythingOf, seed } from './everything-of.ts';
import { pathOf } from './places.ts';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startTable } from './table.ts';
import type { TestResponse } from './registry.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';
import type { TableItem } from '@engawa/table';
import type { StartedTable } from './table.ts';

const longAgo = Date.now() - 86_400_000;

describe('an id that is deleted and created again', () => {
  let started: StartedTable;
  let replicas: ServiceOnTable[];
  beforeAll(async () => {
    started = await startTable();
    const settle = { PURGE_QUIESCENCE_SECONDS: '1' };
    replicas = [
      await startServiceOnTable(started, settle),
      await startServiceOnTable(started, settle),
    ];
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await started.close();
  });

  let turn = 0;
  function ask(
    method: string,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<TestResponse> {
    const replica = replicas[turn++ % replicas.length];
    if (replica === undefined) throw new Error('no replica');
    return replica.ask(path, { method, ...(body && { body }), ...(headers && { headers }) });
  }

  /** Refused with a time to wait, as long as the purge job runs; then created. */
  async function createAgain(path: string, body: object): Promise<TestResponse[]> {
    const refused: TestResponse[] = [];
    await until(`${path} to be created`, async () => {
      const answer = await ask('PUT', path, body);
      if (answer.status === 201) return true;
      refused.push(answer);
      return false;
    });
    for (const { status, headers, body: problem } of refused) {
      expect(status).toBe(409);
      expect(problem).toMatchObject({ type: '/problems/being-deleted' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    return refused;
  }

  function nothingPending(): Promise<boolean> {
    return until('no purge job', async () => (await purgeJobsOf(started.table)).length === 0);
  }

  it.each([
    ['place', pathOf('places', 'tagged')],
    ['room', pathOf('rooms', 'tagged rooms', 'hall')],
    ['device', pathOf('devices', 'tagged')],
  ])('has other ETags: %s', async (_, path) => {
    await ask('PUT', pathOf('places', 'tagged rooms'), { name: 'House' });
    const first = (await ask('PUT', path, { name: 'First' })).headers.get('etag') ?? '';
    expect((await ask('DELETE', path)).status).toBe(204);
    await createAgain(path, { name: 'Second' });
    const ifMatch = { 'if-match': first };
    for (const [method, body] of [
      ['PATCH', { name: 'Late' }],
      ['PUT', { name: 'Late' }],
      ['DELETE', undefined],
    ] as const) {
      expect(await ask(method, path, body, ifMatch)).toMatchObject({ status: 412 });
    }
    expect((await ask('GET', path)).body).toMatchObject({ name: 'Second' });
  });

  it('has other ETags of its corrections, too', async () => {
    const device = pathOf('devices', 'corrected');
    const path = `${device}/corrections/spike`;
    const spike = { operation: 'reset', at: new Date(longAgo).toISOString(), why: 'it was off' };
    await ask('PUT', device, { name: 'First' });
    const { status, headers } = await ask('PUT', path, spike);
    expect(status).toBe(201);
    expect((await ask('DELETE', device)).status).toBe(204);
    await createAgain(device, { name: 'Second' });
    expect((await ask('PUT', path, spike)).status).toBe(201);
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    expect((await ask('DELETE', path, undefined, ifMatch)).status).toBe(412);
  });

  it.each(['place', 'room'])('keeps the devices of a %s that is created again', async (deleted) => {
    const house = pathOf('places', `house of a ${deleted}`);
    const hall = pathOf('rooms', `house of a ${deleted}`, 'hall');
    const device = `lamp of a ${deleted}`;
    await ask('PUT', house, { name: 'House' });
    await ask('PUT', hall, { name: 'Hall' });
    await ask('PUT', pathOf('devices', device), {});
    await ask('PUT', `${house}/devices/${encodeURIComponent(device)}`, { room: 'hall' });

    expect(await ask('DELETE', deleted === 'place' ? house : hall)).toMatchObject({ status: 204 });
    if (deleted === 'place') await createAgain(house, { name: 'House' });
    await createAgain(hall, { name: 'Hall' });
    const placed = { room: 'hall' };
    expect(
      await ask('PUT', `${house}/devices/${encodeURIComponent(device)}`, placed),
    ).toMatchObject({ status: 200 });

    await nothingPending();
    const place = `house of a ${deleted}`;
    expect((await ask('GET', pathOf('devices', device))).body).toMatchObject({
      place,
      room: 'hall',
    });
    expect((await ask('GET', hall)).body).toMatchObject({ devices: [{ device }] });
    expect((await ask('GET', house)).body).toMatchObject({ devices: [{ device, room: 'hall' }] });
  });

  it('rejects a room whose id is being purged, in a list as well', async () => {
    await ask('PUT', pathOf('places', 'villa'), { name: 'Villa' });
    await ask('PUT', pathOf('rooms', 'villa', 'bath'), { name: 'Bath' });
    await ask('DELETE', pathOf('rooms', 'villa', 'bath'));
    const rooms = ['hall', 'bath'].map((id) => ({ id, name: id }));
    await until('the bath', async () => {
      const { status, body } = await ask('POST', '/v1/places', { id: 'villa', name: 'V', rooms });
      expect(status).toBe(200);
      const { rooms: made, errors } = body as {
        rooms: { created: number };
        errors: { line: number; message: string }[];
      };
      for (const { line, message } of errors) {
        expect(line).toBe(1);
        expect(message).toContain('was deleted');
      }
      return made.created === 2;
    });
  });

  it('keeps the shards and the span of the former device, which ingestion may still use', async () => {
    const { table } = started;
    const path = pathOf('devices', 'hot meter');
    const key = deviceKey('hot meter');
    const shards = [{ since: 0, count: 4, from: longAgo }];
    const itemNow = () => table.get(key, { consistent: true });
    await ask('PUT', path, {});
    await table.update(key, { set: { shards, span: 128 } });
    await ask('DELETE', path);
    await table.update(key, { set: { span: 256 }, onlyIf: less('span', 256) }); // as ingestion does
    await nothingPending();
    const days = (Number((await itemNow())?.['ttl']) - Date.now() / 1000) / 86_400;
    expect(days).toBeCloseTo(7, 1);
    expect(await ask('GET', path)).toMatchObject({ status: 404 });
    expect(await ask('DELETE', path)).toMatchObject({ status: 404 });
    expect(await ask('PUT', path, { name: 'Meter' })).toMatchObject({ status: 201 });
    const item = await itemNow();
    expect(item).toMatchObject({ name: 'Meter', version: 1, shards, span: 256 });
    for (const field of ['deletion', 'deletedAt', 'erasedAt', 'ttl']) {
      expect(item).not.toHaveProperty(field);
    }
  });

  it('keeps what is imported for a device that is registered again', async () => {
    const { table } = started;
    const path = pathOf('devices', 'meter');
    await ask('PUT', path, {});
    await seed(table, { device: 'meter', newest: longAgo, readings: 50 });
    await ask('DELETE', path);
    const refused = await createAgain(path, { name: 'Meter' });
    expect(refused.length).toBeGreaterThan(0);
    expect((await everythingOf(table, 'meter')).map((item) => keyOf(item).sk)).toEqual([
      deviceKey('meter').sk,
    ]);
    const readings = [aReading({ time: longAgo })];
    const imported = blockItem({ device: 'meter', readings }) as TableItem;
    await table.put(imported);
    await nothingPending();
    const kept = (await everythingOf(table, 'meter')).map((item) => keyOf(item).sk);
    expect(kept.toSorted()).toEqual(
      [keyOf(imported as never).sk, deviceKey('meter').sk].toSorted(),
    );
  });

  it('answers 404 meanwhile to every request', async () => {
    const path = pathOf('devices', 'gone');
    await ask('PUT', path, {});
    await ask('PUT', pathOf('places', 'here'), { name: 'Here' });
    await ask('DELETE', path);
    for (const answer of [
      await ask('GET', path),
      await ask('GET', `${path}/placements`),
      await ask('PATCH', path, { name: 'Other' }),
      await ask('DELETE', path),
      await ask('PUT', '/v1/places/here/devices/gone', {}),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/device-not-found' } });
    }
    await ask('DELETE', pathOf('places', 'here'));
    expect(await ask('PATCH', pathOf('places', 'here'), { name: 'x' })).toMatchObject({
      status: 404,
    });
  });
});
