import { devicePartition } from '@engawa/keys';
import { deviceItem as itemOf, isBlockItem, parseDevice } from '@engawa/model';
import { aDevice, describeOnEmbedded, openBeforeEach, until } from '@engawa/testing';
import { IngestionFixture, restarts } from './ingestion-fixture.ts';

const fixture = openBeforeEach(() => IngestionFixture.open());

const today = () => new Date().toISOString().slice(0, 10);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const readingsOf = (device: string) => fixture.readingsOf(device);

async function deviceItem(id: string) {
  return parseDevice(
    (await fixture.table.get({ pk: devicePartition(id), sk: devicePartition(id) })) ?? {},
  );
}

describe('a reading', () => {
  it('is stored with all digits, and its device is registered', async () => {
    await fixture.start();
    const ts = minutesAgo(1);
    await fixture.publish(
      'engawa/居間-1/readings',
      `{"ts":"${ts}","temperature":21.40,"total":12345678901234567890.123}`,
    );
    await fixture.settled(1);
    const [reading] = await readingsOf('居間-1');
    expect(reading?.time).toBe(Date.parse(ts));
    expect(JSON.stringify(reading?.fields)).toBe(
      '{"temperature":21.4,"total":12345678901234567890.123}',
    );
    expect(await deviceItem('居間-1')).toMatchObject({
      name: '居間-1',
      kind: 'climate',
      status: 'active',
      version: 1,
    });
    expect(
      await fixture.metric('engawa_ingest_messages_total', {
        decoder: 'native',
        outcome: 'stored',
      }),
    ).toBe(1);
    expect(await fixture.metric('engawa_ingest_readings_total', { kind: 'climate' })).toBe(1);
  });

  it('shares a block with readings that arrive at the same time, and the device has the span', async () => {
    await fixture.start({ LINGER_MS: '60000' });
    const times = Array.from({ length: 50 }, (_, index) => minutesAgo(50 - index));
    const publish = (ts: string | undefined) =>
      fixture.publish('engawa/t/readings', JSON.stringify({ ts, temperature: 20 }));
    const [first, ...others] = times;
    // Durable, so the device is known: readings of an unknown one would still wait for it when the service closes.
    await fixture.post('/v1/readings?device=t', JSON.stringify({ ts: first, temperature: 20 }));
    await Promise.all(others.map(publish));
    await until('49 messages', async () => {
      return (await fixture.metric('engawa_ingest_received_messages_total')) === 49;
    });
    await fixture.service?.close(); // which drains
    expect((await readingsOf('t')).map(({ time }) => new Date(time).toISOString())).toEqual(times);
    // Some are written before the others arrive, in a trial whether the broker is stalled.
    const blocks = (await fixture.items(devicePartition('t'))).filter(isBlockItem);
    expect(blocks.length).toBeLessThan(25);
    expect((await deviceItem('t')).span).toBeGreaterThanOrEqual(2048);
  });

  it('sent again changes nothing', async () => {
    await fixture.start();
    const payload = JSON.stringify(
      [1, 2, 3].map((minute) => ({ ts: minutesAgo(minute), power: minute })),
    );
    for (let time = 0; time < 3; time++) await fixture.publish('engawa/m/readings', payload);
    await fixture.settled(3);
    expect(await readingsOf('m')).toHaveLength(3);
  });

  it('moves the last seen of its device at most once an hour', async () => {
    const known = aDevice({ id: 't', lastSeenAt: Date.now() - 90 * 60_000 });
    await fixture.table.put(itemOf(known, { list: 1, seen: 1 }));
    await fixture.start();
    for (const minutes of [180, 170, 160, 90, 80, 5]) {
      await fixture.publish(
        'engawa/t/readings',
        JSON.stringify([{ ts: minutesAgo(minutes), temperature: 20 }]),
      );
      await fixture.settled(1);
    }
    await fixture.settled(6);
    const updates = () =>
      fixture.metric('engawa_table_attempts_total', { operation: 'UpdateItem' });
    await until(
      'an update',
      async () => (await deviceItem('t')).lastSeenAt > Date.parse(minutesAgo(30)),
    );
    // 3 units, none of them for the list of names, and 1 for the table's id: 5 % of an hour's 60 at a reading a minute.
    const units = (index: string) =>
      fixture.metric('engawa_table_consumed_units_total', { operation: 'UpdateItem', index });
    expect([await units('table'), await units('gsi1'), await units('gsi2')]).toEqual([2, 0, 2]);
    expect(await updates()).toBe(2);
  });

  it('that is late does not change last seen', async () => {
    await fixture.start();
    for (const minutes of [1, 500]) {
      await fixture.publish(
        'engawa/t/readings',
        JSON.stringify({ ts: minutesAgo(minutes), temperature: 20 }),
      );
    }
    await fixture.settled(2);
    expect(Date.now() - (await deviceItem('t')).lastSeenAt).toBeLessThan(2 * 60_000);
  });
});

describe('an unstorable reading', () => {
  it('becomes a dead letter, whole, with its reason, and the other readings are stored', async () => {
    await fixture.start();
    const long = 'd'.repeat(200);
    const good = { ts: minutesAgo(1), temperature: 20 };
    const mixed = `[{"ts":"${minutesAgo(3)}","total":123456789012345678901234567890123456789},${JSON.stringify(good)}]`;
    await fixture.publish('engawa/t/readings', 'no JSON');
    await fixture.publish(`engawa/${long}/readings`, '{"x":1}');
    await fixture.publish('engawa/t/readings', mixed);
    await fixture.settled(3);

    const deadLetters = await fixture.items(`DLQ#${today()}#0`);
    const told = deadLetters.map(({ topic, payload, reason, indexes }) => ({
      topic,
      payload: Buffer.from(payload as Uint8Array).toString(),
      reason,
      indexes,
    }));
    expect(new Set(told)).toEqual(
      new Set([
        { topic: 'engawa/t/readings', payload: 'no JSON', reason: 'malformed', indexes: undefined },
        {
          topic: `engawa/${long}/readings`,
          payload: '{"x":1}',
          reason: 'bad_device',
          indexes: undefined,
        },
        { topic: 'engawa/t/readings', payload: mixed, reason: 'bad_number', indexes: [0] },
      ]),
    );
    expect(deadLetters.map(({ detail }) => detail)).toContain(
      'reading 0: field "total": a number of 39 digits: at most 38 are kept',
    );
    expect((await readingsOf('t')).map(({ fields }) => fields)).toEqual([{ temperature: 20 }]);
    expect(await fixture.metric('engawa_ingest_dead_letters_total')).toBe(3);
  });

  it('becomes a dead letter even if it is larger than an item, and does not block others', async () => {
    await fixture.start();
    const payload = Buffer.alloc(900_000, 'no JSON, ');
    await fixture.publish('engawa/t/readings', payload);
    await fixture.publish(
      'engawa/t/readings',
      JSON.stringify({ ts: minutesAgo(1), temperature: 20 }),
    );
    await fixture.settled(2);
    const parts = await fixture.items(`DLQ#${today()}#0`);
    expect(parts[0]).toMatchObject({ parts: 4, reason: 'malformed' });
    expect(Buffer.concat(parts.map((part) => part['payload'] as Uint8Array)).equals(payload)).toBe(
      true,
    );
    expect(await readingsOf('t')).toHaveLength(1);
  });

  it('becomes a dead letter each time that it is sent', async () => {
    await fixture.start();
    for (let time = 0; time < 3; time++) await fixture.publish('engawa/t/readings', 'no JSON');
    await fixture.settled(3);
    expect(await fixture.items(`DLQ#${today()}#0`)).toHaveLength(3);
  });
});

describe('a new device', () => {
  const reading = () => JSON.stringify({ ts: minutesAgo(1), contact: 'open' });

  it('waits for approval if configured, and its readings are stored', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'pending' });
    await fixture.publish('engawa/door/readings', reading());
    await fixture.settled(1);
    expect(await deviceItem('door')).toMatchObject({ status: 'pending', kind: 'contact' });
    expect(await readingsOf('door')).toHaveLength(1);
  });

  it('is not admitted if configured; a known device is', async () => {
    await fixture.start();
    await fixture.publish('engawa/known/readings', reading());
    await fixture.settled(1);
    await fixture.service?.close();

    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    await fixture.publish('engawa/stranger/readings', reading());
    await fixture.publish('engawa/known/readings', reading());
    await fixture.settled(2);
    expect(await readingsOf('stranger')).toEqual([]);
    expect((await fixture.items(`DLQ#${today()}#0`)).map(({ reason }) => reason)).toEqual([
      'not_admitted',
    ]);
    expect(await readingsOf('known')).toHaveLength(2);
  });
});

describeOnEmbedded(restarts, 'an unavailable table', () => {
  const unacknowledged = () => fixture.metric('engawa_ingest_unacknowledged_messages');
  const publishTwo = async () => {
    await fixture.publish('engawa/known/readings', JSON.stringify({ ts: minutesAgo(1), power: 1 }));
    await fixture.publish('engawa/new/readings', JSON.stringify({ ts: minutesAgo(1), power: 2 }));
    await until('both held', async () => (await unacknowledged()) === 2);
  };
  const bothStored = async () => {
    await until('both stored', async () => {
      return (await readingsOf('known')).length === 2 && (await readingsOf('new')).length === 1;
    });
    expect(await fixture.items(`DLQ#${today()}#0`)).toEqual([]);
  };
  beforeEach(async () => {
    await fixture.start();
    await fixture.publish('engawa/known/readings', JSON.stringify({ ts: minutesAgo(2), power: 0 }));
    await fixture.settled(1);
    await fixture.stopTable();
    await publishTwo();
  });

  it('makes the service unready, and messages wait until it is back', async () => {
    const missing = () =>
      fixture.service?.context.readiness.unavailableReasons().map(({ name }) => name);
    await until('an unready service', () => missing()?.includes('table'));
    await fixture.restartTable();
    await bothStored();
    await until('both acknowledged', async () => (await unacknowledged()) === 0);
  });

  it('creates no dead letters when the service closes: messages are redelivered', async () => {
    await fixture.service?.close();
    await fixture.restartTable();
    await fixture.start();
    await bothStored();
  });
});
