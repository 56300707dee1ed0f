import { deadLetterDeliveryKey, deadLetterPartition, devicePartition } from '@engawa/keys';
import {
  blockReadings,
  formerDeadLetterPrefix,
  isBlockItem,
  keyOf,
  sortedUnique,
} from '@engawa/model';
import { openBeforeEach, startRawBroker, until } from '@engawa/testing';
import { deadLetterOfMessage } from '../src/dead-letters/dead-letter-of-message.ts';
import { deliveryName } from '../src/dead-letters/dead-letter-writer.ts';
import { spreadShard } from '../src/dead-letters/dead-letter-shards.ts';
import { refusalOf } from '../src/refusals/refusal.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Document } from '@engawa/model';
import type { RawBroker } from '@engawa/testing';

const fixture = openBeforeEach(() => IngestionFixture.open());

interface DeadLetterResponse {
  id: string;
  receivedAt: string;
}

const dayMs = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const deadLetters = async () =>
  ((await fixture.ask('/v1/deadLetters')).body as { items: DeadLetterResponse[] }).items;
const done = () => fixture.metric('engawa_ingest_messages_total');
const batches = () =>
  fixture.metric('engawa_table_attempts_total', { operation: 'BatchWriteItem' });

describe('equal messages', () => {
  it('without a time are a dead letter each, and when they are replayed a reading each', async () => {
    await fixture.start({ DEVICE_ADMISSION: 'closed' });
    const states = [1, 2, 3, 4, 5, 6].map((count) => `{"open":${count % 2 === 1}}`);
    await Promise.all(states.map((state) => fixture.publish('engawa/door/readings', state)));
    await fixture.settled(6);
    const kept = await deadLetters();
    expect(kept).toHaveLength(6);
    await fixture.service?.close();
    await fixture.start();
    const body = JSON.stringify({ day: today() });
    // Two persons replay at once: each reading is stored twice at most, and is one.
    const replays = [1, 2].map(() => fixture.post('/v1/deadLetters/replay', body));
    for (const { status } of await Promise.all(replays)) expect(status).toBe(200);
    expect(await deadLetters()).toEqual([]);
    const items = await fixture.items(devicePartition('door'));
    const readings = sortedUnique(
      items.flatMap((item) => (isBlockItem(item) ? blockReadings(item) : [])),
    );
    const received = kept.map(({ receivedAt }) => Date.parse(receivedAt));
    expect(readings.map(({ time }) => time)).toEqual(received.toSorted());
  });

  it('do not wait for each other: another device’s reading is stored within a few requests', async () => {
    await fixture.start();
    const poison = Array.from({ length: 2000 }, () =>
      fixture.publish('engawa/poison/readings', 'no JSON'),
    );
    await fixture.publish('engawa/good/readings', `{"ts":${Date.now() - 60_000},"x":1}`);
    const isStored = async () => (await fixture.readingsOf('good')).length === 1;
    await until('the good reading', isStored);
    await Promise.all(poison);
    await until('all to be stored', async () => (await done()) === 2001);
    const kept = await fixture.metric('engawa_ingest_dead_letters_total');
    expect(kept).toBe(2000);
    expect(await fixture.items(deadLetterPartition(today(), 0))).toHaveLength(2000);
    // Full batches would be 80; one round trip for each of the equal messages was 2,000.
    expect(await batches()).toBeLessThan(700);
  });
});

describe('a message that the broker repeats', () => {
  let broker: RawBroker;
  beforeEach(async () => (broker = await startRawBroker()));
  afterEach(async () => {
    await fixture.service?.close();
    await broker.close();
  });

  async function start(session = 'ingestion-0'): Promise<void> {
    await fixture.service?.close();
    await fixture.start({
      MQTT_URL: broker.url,
      MQTT_VERSION: '5',
      MQTT_CLIENT_ID: session,
      MQTT_MAX_PACKET_BYTES: '1000000',
    });
  }

  /** Resolves when the message is acknowledged. @returns the number of dead letters then */
  async function deliver(messageId: number, dup: boolean, payload = 'no JSON'): Promise<number> {
    const acknowledged = () => broker.seen.filter((name) => name === 'puback').length;
    const before = acknowledged();
    broker.send({
      cmd: 'publish',
      topic: 'engawa/t/readings',
      qos: 1,
      dup,
      retain: false,
      messageId,
      payload,
    });
    await until('the acknowledgement', () => acknowledged() > before);
    return (await deadLetters()).length;
  }

  it('to the next process is not a second dead letter; a different message is', async () => {
    await start();
    expect(await deliver(7, false)).toBe(1);
    await start();
    expect(await deliver(7, true)).toBe(1);
    expect(await deliver(7, false)).toBe(2); // the identifier is reused
    expect(await deliver(8, true)).toBe(3);
    expect(await deliver(7, true, 'no JSON either')).toBe(4);
    await start('ingestion-1');
    expect(await deliver(7, true)).toBe(5);
  });

  it('is found among the dead letters of yesterday, and in other shards', async () => {
    const partition = deadLetterPartition(today(), 0);
    await start();
    await deliver(7, false);
    const [item = {}] = await fixture.items(partition);
    const { sk: id } = keyOf(item);
    await moveTo(item, { pk: deadLetterPartition(today(), spreadShard(id)) });
    expect(await deliver(7, true)).toBe(0); // other shards of an unmarked day are not listed

    await deliver(8, false);
    const [other = {}] = await fixture.items(partition);
    const { sk: former } = keyOf(other);
    const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
    const sk = idOn(yesterday, former);
    await moveTo(other, { pk: deadLetterPartition(yesterday, 0), sk, id: sk });
    const hash = deliveryName(deliveryOf(8));
    await fixture.table.delete(deadLetterDeliveryKey(today(), hash, former));
    await fixture.table.put({ ...deadLetterDeliveryKey(yesterday, hash, sk) });
    expect(await deliver(8, true)).toBe(0);
  });

  it('is found if 0.2.0 stored it', async () => {
    await start();
    await deliver(7, false);
    const [item = {}] = await fixture.items(deadLetterPartition(today(), 0));
    const { sk: id } = keyOf(item);
    const delivery = deliveryOf(7);
    await fixture.table.delete(deadLetterDeliveryKey(today(), deliveryName(delivery), id));
    const sk = `${formerDeadLetterPrefix({ receivedAt: Date.now(), delivery })}${id.slice(-8)}`;
    await moveTo(item, { pk: deadLetterPartition(today(), 0), sk, id: sk });
    expect(await deliver(7, true)).toBe(1);
    await moveTo({ ...item, sk, id: sk }, { pk: deadLetterPartition(today(), spreadShard(sk)) });
    expect(await deliver(7, true)).toBe(0); // other shards of an unmarked day are not listed
    expect(await deliver(7, true, 'no JSON either')).toBe(1);
  });

  it('is stored whole if the former process wrote only a part of it', async () => {
    await fixture.service?.close();
    await start();
    const large = 'x'.repeat(600_000);
    expect(await deliver(7, false, large)).toBe(1);
    const items = await fixture.items(deadLetterPartition(today(), 0));
    const [head] = items.filter((item) => 'topic' in item);
    expect(items).toHaveLength(3);
    await fixture.table.delete(keyOf(head ?? {}));
    await start();
    expect(await deliver(7, true, large)).toBe(1);
    expect(await deliver(7, true, large)).toBe(1);
  });
});

/** The hash of a delivery of `no JSON` to the first replica. */
function deliveryOf(messageId: number): Buffer {
  const message = {
    ...{ topic: 'engawa/t/readings', payload: Buffer.from('no JSON'), qos: 1 as const },
    ...{ retained: false, duplicate: false, session: 'ingestion-0', messageId },
    ...{ userProperties: undefined, receivedAt: 0, release: () => undefined },
  };
  return deadLetterOfMessage(message, [refusalOf('payload-not-text')], Buffer.alloc(5)).delivery;
}

async function moveTo(item: Document, place: { pk: string; sk?: string; id?: string }) {
  await fixture.table.delete(keyOf(item));
  await fixture.table.put({ ...item, ...place });
}

/** The same id on another day. */
function idOn(day: string, id: string): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let time = Date.parse(day);
  let text = '';
  for (let digit = 0; digit < 10; digit++) {
    text = (alphabet[time % 32] ?? '') + text;
    time = Math.floor(time / 32);
  }
  return text + id.slice(10);
}
