import { devicePartition } from '@engawa/keys';
import { deviceItem, keyOf, membershipItem, placementItem, roomItem } from '@engawa/model';
import { aDevice, until } from '@engawa/testing';
import { absent } from '@engawa/table';
import { purgeJobWrites, newPurgeJob } from '../src/purges/purge-job.ts';
import { purgeJobsOf, everythingOf, seed } from './everything-of.ts';
import { pathOf } from './places.ts';
import { startServiceOnTable } from './start-service-on-table.ts';
import { startTable } from './table.ts';
import type { PurgeTarget } from '../src/purges/purge-job.ts';
import type { ServiceOnTable } from './start-service-on-table.ts';
import type { StartedTable } from './table.ts';

const shards = { list: 1, seen: 1 };
const longAgo = Date.now() - 3_600_000;

describe('an interrupted purge job', () => {
  let started: StartedTable;
  let running: ServiceOnTable[] = [];
  beforeEach(async () => (started = await startTable()));
  afterEach(async () => {
    for (const service of running.splice(0)) await service.close();
    await started.close();
  });

  async function start(): Promise<ServiceOnTable> {
    const service = await startServiceOnTable(started);
    running.push(service);
    return service;
  }

  async function stop(service: ServiceOnTable): Promise<void> {
    running = running.filter((other) => other !== service);
    await service.close();
  }

  async function put(id: string, readings: number): Promise<void> {
    await started.table.put(deviceItem(aDevice({ id }), shards));
    await seed(started.table, { device: id, newest: longAgo, readings });
  }

  /** The state after a deletion whose replica was killed before it purged anything. */
  async function leavePurgeJob(target: PurgeTarget, deletedAt: number): Promise<void> {
    const job = { ...newPurgeJob(target), deletedAt };
    await started.table.transact(purgeJobWrites(job, absent('nothing')));
  }

  it('is continued after the next start, from every point of interruption', async () => {
    for (const id of ['meter-1', 'meter-10']) await put(id, 1000);
    const neighbour = await everythingOf(started.table, 'meter-10');
    const pk = devicePartition('meter-1');
    const [first] = (await started.table.query({ pk, sk: { beginsWith: '#TS' }, limit: 1 })).items;

    const interrupted = await start();
    const path = pathOf('devices', 'meter-1');
    expect(await interrupted.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await until('the first of the readings to be gone', async () => {
      const [now] = (await started.table.query({ pk, sk: { beginsWith: '#TS' }, limit: 1 })).items;
      return now?.['sk'] !== first?.['sk'];
    });
    await stop(interrupted);
    const left = (await everythingOf(started.table, 'meter-1')).length;
    expect(left).toBeGreaterThan(200);
    expect(left).toBeLessThan(2200);
    expect(await purgeJobsOf(started.table)).toHaveLength(1);

    const next = await start();
    expect(await next.ask(path)).toMatchObject({ status: 404 });
    await until('all of it to be gone', async () => {
      return (await everythingOf(started.table, 'meter-1')).length === 0;
    });
    expect(await everythingOf(started.table, 'meter-10')).toEqual(neighbour);
  });

  it('purges readings that were in flight at the deletion', async () => {
    await put('chatty', 5);
    const service = await start();
    await service.ask('/v1/devices/chatty', { method: 'DELETE' });
    const isGone = async () => (await everythingOf(started.table, 'chatty')).length === 0;
    await until('all of it to be gone', isGone);
    await stop(service);
    await seed(started.table, { device: 'chatty', newest: longAgo, readings: 3 });
    await start();
    await until('the rest to be gone', isGone);
  });

  it('ends once no older reading can arrive', async () => {
    await seed(started.table, { device: 'gone', newest: longAgo - 1, readings: 10 });
    await leavePurgeJob({ kind: 'DEVICE', id: 'gone', shards: 1 }, longAgo);
    await start();
    await until('no purge job', async () => (await purgeJobsOf(started.table)).length === 0);
    expect(await everythingOf(started.table, 'gone')).toEqual([]);
  });

  it('keeps readings of after the deletion, however late it runs', async () => {
    const { table } = started;
    await put('again', 10);
    const deletedAt = longAgo - 5 * 3_600_000 - 1;
    await leavePurgeJob({ kind: 'DEVICE', id: 'again', shards: 1 }, deletedAt);
    await start();
    await until('no purge job', async () => (await purgeJobsOf(table)).length === 0);
    const left = (await everythingOf(table, 'again')).map((item) => keyOf(item).sk);
    expect(left.filter((key) => key.startsWith('#TS'))).toHaveLength(6);
    // Rollups of hours that began before the deletion are made of readings that are gone.
    expect(left.filter((key) => key.startsWith('#AGG')).length).toBeLessThanOrEqual(6);
  });

  it('of a partially purged place leaves no item of it, and its devices unplaced', async () => {
    const { table } = started;
    const place = 'house';
    const period = { place, device: 'lamp', since: longAgo - 1000 };
    const device = aDevice({ id: 'lamp', place, room: 'hall', since: period.since });
    await table.put({ ...deviceItem(device, shards), arrivedAt: period.since });
    await table.put(placementItem({ ...period, room: 'hall', name: 'lamp', kind: 'other' }));
    // Its room and the history of that room have gone already; another room's have not.
    await table.put(membershipItem(period));
    const cellar = { place, id: 'cellar', name: 'Cellar', registeredAt: longAgo - 1, version: 1 };
    await table.put(roomItem(cellar, shards.list));
    await table.put(membershipItem({ ...period, room: 'cellar', until: longAgo }));
    await leavePurgeJob({ kind: 'PLACE', place }, longAgo);

    const service = await start();
    await until('no purge job', async () => (await purgeJobsOf(table)).length === 0);
    const { body } = await service.ask('/v1/devices/lamp');
    expect(body).toMatchObject({ id: 'lamp', version: 2 });
    expect(body).not.toHaveProperty('place');
    expect(body).not.toHaveProperty('room');
    for (const pk of ['PLACE#house', 'ROOM#house', 'ROOM#house#cellar', 'ROOM#house#hall']) {
      expect((await table.query({ pk })).items).toEqual([]);
    }
  });

  it('that is unreadable does not delay others', async () => {
    const { table } = started;
    await seed(table, { device: 'gone', newest: longAgo - 1, readings: 3 });
    await table.put({ pk: 'ERASURES', sk: 'AFTERNOON#x', deletion: 'x', deletedAt: longAgo });
    await leavePurgeJob({ kind: 'DEVICE', id: 'gone', shards: 1 }, longAgo);
    await start();
    await until('one purge job left', async () => (await purgeJobsOf(table)).length === 1);
    expect(await everythingOf(table, 'gone')).toEqual([]);
  });
});
