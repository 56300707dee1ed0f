import { deviceKey } from '@engawa/keys';
import {
  erasedAttributes,
  parseDevice,
  inheritedAttributes,
  tombstoneFields,
  tombstoneItem,
  unlessDeleted,
} from '@engawa/model';
import { openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ProxiedRequest } from '@engawa/testing';

const fixture = openBeforeEach(() => IngestionFixture.open());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Uploads readings: they count at their own time for last seen, so hours pass at once. */
async function upload(device: string, readings: readonly object[]): Promise<void> {
  const answer = await fixture.post(`/v1/readings?device=${device}`, JSON.stringify(readings));
  expect(answer).toMatchObject({ status: 202, body: { stored: readings.length } });
}

function send(device: string, ...minutes: number[]): Promise<void> {
  const readings = minutes.map((ago) => ({ ts: minutesAgo(ago), contact: 'open' }));
  return upload(device, readings);
}

async function itemOf(id: string) {
  const item = unlessDeleted(await fixture.table.get(deviceKey(id), { consistent: true }));
  return item && parseDevice(item);
}

describe('a deleted device that continues to send', () => {
  it('is registered again within an hour as a new device, with the readings stored since', async () => {
    await fixture.start();
    await send('door', 200);
    await fixture.table.update(deviceKey('door'), {
      set: { name: 'Front door' },
      add: { version: 1 },
    });
    await fixture.table.delete(deviceKey('door'));
    // Less than an hour later: nothing reads its item. The second block is longer than the span in the item.
    await send('door', 190);
    await send('door', 180, 170);
    expect(await itemOf('door')).toBeUndefined();
    await send('door', 60);
    const device = await until('the device', () => itemOf('door'));
    expect(device).toMatchObject({ name: 'door', kind: 'contact', status: 'active', version: 1 });
    await until('its span', async () => (await itemOf('door'))?.span === 1024);
    expect(minutesAgo(61) < new Date(device.lastSeenAt).toISOString()).toBe(true);
    expect(await fixture.readingsOf('door')).toHaveLength(5);
    await send('door', 0);
    await until('a later last seen', async () => {
      return ((await itemOf('door'))?.lastSeenAt ?? 0) > device.lastSeenAt;
    });
  });

  it.each(['registered before', 'a process without the device in its cache'])(
    'is registered after its purge, and keeps the readings sent meanwhile: a device %s',
    async (known) => {
      const tombstone = { deletion: 'this', deletedAt: Date.now() - 300_000 };
      await fixture.start();
      if (known === 'registered before') {
        await send('door', 200);
      }
      const before = (await fixture.readingsOf('door')).length;
      await fixture.table.put(tombstoneItem(deviceKey('door'), tombstone));
      await send('door', 3, 1);
      await send('door', 2);
      expect(await itemOf('door')).toBeUndefined();
      await fixture.table.delete(deviceKey('door'));
      const device = await until('the device', () => itemOf('door'));
      expect(device).toMatchObject({ name: 'door', kind: 'contact', version: 1 });
      await until('its span', async () => ((await itemOf('door'))?.span ?? 0) >= 120);
      expect(await fixture.readingsOf('door')).toHaveLength(before + 3);
      await send('door', 0);
    },
  );

  it.each([
    ['nobody', undefined],
    ['a process without the device in its cache', 0],
    ['a process with the device in its cache', Date.now()],
  ])('is found in all of its shards again, created by %s', async (_, lastSeenAt) => {
    const shards = [{ since: 0, count: 4, from: Date.now() - 86_400_000 }];
    // No event: events cause a read of the item.
    const sendPlain = (...minutes: number[]) => {
      const readings = minutes.map((ago) => ({ ts: minutesAgo(ago), x: ago }));
      return upload('gate', readings);
    };
    await fixture.start();
    await sendPlain(200);
    await fixture.table.update(deviceKey('gate'), { set: { shards } });
    await sendPlain(130); // learns the shards
    await until('a later last seen', async () => {
      return ((await itemOf('gate'))?.lastSeenAt ?? 0) > Date.now() - 135 * 60_000;
    });
    await sendPlain(128, 126);
    await until('its span', async () => ((await itemOf('gate'))?.span ?? 0) > 100);
    const item = await fixture.table.get(deviceKey('gate'));
    await fixture.table.delete(deviceKey('gate'));
    if (lastSeenAt !== undefined) {
      const recreated = Object.entries({ ...item, lastSeenAt, span: 0 });
      const attributes = recreated.filter(([name]) => name !== 'shards');
      await fixture.table.put({ ...Object.fromEntries(attributes), ...deviceKey('gate') });
    }
    await sendPlain(60);
    const device = await until('its shards', async () => {
      const found = await itemOf('gate');
      return found?.shards !== undefined && found.span > 0 ? found : undefined;
    });
    expect(device).toMatchObject({ shards, span: 128 });
  });

  it('inherits only the shards and the span of its tombstone', async () => {
    const shards = [{ since: 0, count: 4, from: Date.now() - 86_400_000 }];
    const tombstone = tombstoneItem(deviceKey('door'), { deletion: 'this', deletedAt: 1 });
    const kept = { ...inheritedAttributes({ span: 128, shards }), ...erasedAttributes(Date.now()) };
    await fixture.table.put({ ...tombstone, ...deviceKey('door'), ...kept });
    await fixture.start();
    await send('door', 1);
    const item = await fixture.table.get(deviceKey('door'), { consistent: true });
    expect(item).toMatchObject({ name: 'door', version: 1, shards, span: 128 });
    for (const field of tombstoneFields) expect(item).not.toHaveProperty(field);
  });

  it('does not return because of a delayed update: only a later reading registers it again', async () => {
    const proxy = await fixture.openProxy();
    await fixture.start({ DYNAMODB_ENDPOINT: proxy.endpoint });
    await send('door', 200);
    const isOfDoor = ({ operation, body }: ProxiedRequest) =>
      operation === 'UpdateItem' && body.includes('DEVICE#door');
    proxy.fateOf = (request) => (isOfDoor(request) ? 'throttled' : 'answered');
    await send('door', 60);
    await until('the update to be throttled', () => proxy.counts.throttled > 0);
    const tombstone = tombstoneItem(deviceKey('door'), { deletion: 'this', deletedAt: Date.now() });
    const erased = { ...inheritedAttributes({ span: 0 }), ...erasedAttributes(Date.now()) };
    await fixture.table.put({ ...tombstone, ...deviceKey('door'), ...erased });
    let notes = 0;
    proxy.fateOf = (request) => {
      if (isOfDoor(request)) notes += 1;
      return 'answered';
    };
    await until('the note', () => notes > 0);
    for (let number = 0; number < 20; number += 1) await send(`other-${number}`, 1);
    expect(await itemOf('door')).toBeUndefined();
    expect(notes).toBe(1);
    const later = { ts: new Date(Date.now() + 1000).toISOString(), contact: 'open' };
    await fixture.publish('engawa/door/readings', JSON.stringify([later]));
    expect(await until('the device', () => itemOf('door'))).toMatchObject({ version: 1 });
  });

  it('is registered again by an import a day after its item was last read', async () => {
    const day = 86_400_000;
    let now = 0;
    await fixture.start({}, () => now);
    const get = { operation: 'GetItem' };
    const reads = () => fixture.metric('engawa_table_attempts_total', get);
    const store = async () => {
      const past = { device: 'meter', ts: minutesAgo(3000), x: 1 };
      const answer = await fixture.post('/v1/readings', JSON.stringify(past));
      expect(answer).toMatchObject({ status: 202, body: { stored: 1 } });
    };
    await store();
    const before = await reads();
    now = day - 1;
    await store();
    expect(await reads()).toBe(before);
    now = day;
    await store();
    await store();
    expect(await reads()).toBe(before + 1);
    await fixture.table.delete(deviceKey('meter'));
    now = 2 * day;
    await store();
    expect(await itemOf('meter')).toMatchObject({ id: 'meter', version: 1 });
  });

  it('waits for approval if new devices do', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'pending' });
    await send('window', 200);
    await fixture.table.update(deviceKey('window'), { set: { status: 'active' } });
    await fixture.table.delete(deviceKey('window'));
    await send('window', 60);
    expect(await until('the device', () => itemOf('window'))).toMatchObject({ status: 'pending' });
  });

  it('is refused if new devices are not admitted', async () => {
    await fixture.start();
    await send('gate', 200);
    await fixture.service?.close();
    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    await fixture.table.delete(deviceKey('gate'));
    await until('a refusal', async () => {
      await fixture.publish('engawa/gate/readings', JSON.stringify({ x: 1 }));
      return (await fixture.metric('engawa_ingest_dead_letters_total')) > 0;
    });
    expect(await itemOf('gate')).toBeUndefined();
  });
});
