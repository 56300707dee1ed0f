import { openBeforeAll, startRawBroker, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { RawBroker } from '@engawa/testing';

/**
 * A broker, or a bridge in its place, that keeps the retain flag as published, though MQTT 3.1.1 sets it in replays
 * only [MQTT-3.3.1-9]. The session is older than the process, so replays repeat what an earlier process has received.
 */
const fixture = openBeforeAll(() => IngestionFixture.open());
let broker: RawBroker;
let messageId: number;
beforeEach(async () => {
  messageId = 0;
  const connack = () => ({ cmd: 'connack', returnCode: 0, sessionPresent: true }) as const;
  broker = await startRawBroker({ connack }, 4);
  await fixture.start({ MQTT_URL: broker.url, MQTT_SELF_TEST: 'off' });
});
afterEach(async () => {
  await fixture.service?.close();
  await broker.close();
});

async function send(device: string, level: number): Promise<void> {
  const id = ++messageId;
  const topic = `engawa/${device}/readings`;
  const payload = JSON.stringify({ level });
  const publish = { topic, payload, qos: 1, messageId: id, dup: false, retain: true } as const;
  broker.send({ cmd: 'publish', ...publish });
  const acknowledged = () => broker.seen.filter((packet) => packet === 'puback').length;
  await until('the acknowledgement', () => acknowledged() === id);
}

const subscriptions = () => broker.seen.filter((packet) => packet === 'subscribe').length;
const levelsOf = async (device: string) =>
  (await fixture.readingsOf(device)).map(({ fields }) => fields['level']);

describe('a live message with the retain flag, in a session that outlives the process', () => {
  it('is a reading where its topic was replayed before', async () => {
    for (const level of [1, 2, 3, 3, 2]) await send('replayed', level);
    await until('the others', async () => (await levelsOf('replayed')).length === 3);
    // The replay is a repetition; so is an equal value, which may be the replay of another subscription.
    expect(await levelsOf('replayed')).toEqual([2, 3, 2]);
  });

  it('is a reading on each topic, and in each connection, after the first one', async () => {
    await send('one', 1);
    await send('other', 5);
    await send('one', 2);
    broker.connections.at(-1)?.cut();
    await until('the subscription', () => subscriptions() === 2);
    for (const level of [2, 3]) await send('one', level);
    await until('all', async () => (await levelsOf('one')).length === 2);
    expect(await levelsOf('one')).toEqual([2, 3]);
    expect(await levelsOf('other')).toEqual([]);
  });
});
