import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';

const fixture = openBeforeAll(() => IngestionFixture.open());
afterEach(() => fixture.service?.close());

const outcome = (name: string) => fixture.metric('engawa_ingest_messages_total', { outcome: name });

async function deadLetters(): Promise<{ id: string; topic: string }[]> {
  const { body } = await fixture.ask('/v1/deadLetters');
  return (body as { items: { id: string; topic: string }[] }).items;
}

/** The topics that the log names. */
function named(): string[] {
  return fixture.logged
    .filter((line) => line.includes('no decoder recognizes'))
    .map((line) => (JSON.parse(line) as { topic: string }).topic);
}

describe('a message on a default topic that no decoder recognizes', () => {
  it('is acknowledged and counted; its topic is logged once; a configured topic has dead letters', async () => {
    await fixture.start();
    const messages = [
      ['homeassistant/sensor/x/state', '{"temperature":23.2}'],
      ['host1/status/uptime', '12345'],
      ['host1/status/uptime', '12346'],
      ['zigbee2mqtt/lamp/brightness', '100'],
      ['tele/plug/SENSOR', 'offline'],
      ['nature/remo/smart_meter', '{"power":5}'],
    ] as const;
    for (const [topic, payload] of messages) await fixture.publish(topic, payload);
    // The second decoder of the topic recognizes it.
    const ts = Date.now() - 60_000;
    await fixture.publish('knx/status/outdoor', JSON.stringify({ val: 21.5, ts }));
    await fixture.settled(messages.length + 1);
    expect(await outcome('unrecognized')).toBe(messages.length);
    const ofSecond = { decoder: 'smarthome', outcome: 'stored' };
    expect(await fixture.metric('engawa_ingest_messages_total', ofSecond)).toBe(1);
    expect(await fixture.readingsOf('knx')).toEqual([
      { time: ts, fields: { 'outdoor.val': 21.5 } },
    ]);
    expect(await deadLetters()).toEqual([]);
    expect(named().sort()).toEqual([...new Set(messages.map(([topic]) => topic))].sort());

    await fixture.service?.close();
    await fixture.start({ DECODERS: 'shelly=+/status/#' });
    await fixture.publish('host1/status/uptime', '12345');
    await fixture.settled(1);
    expect(await outcome('dead_lettered')).toBe(1);
    const [{ id, topic } = { id: '', topic: '' }] = await deadLetters();
    expect(topic).toBe('host1/status/uptime');

    // The dead letter of a filter that is no longer configured is not lost by a replay.
    await fixture.service?.close();
    await fixture.start();
    const { body } = await fixture.post(`/v1/deadLetters/${id}/replay`);
    expect(body).toMatchObject({ refused: [{ reason: 'no_decoder' }] });
    expect(await deadLetters()).toHaveLength(1);
  });

  it('names a bounded number of topics in the log', async () => {
    await fixture.start();
    const before = named().length;
    const topics = Array.from({ length: 120 }, (_, index) => `host${index}/status/uptime`);
    await Promise.all(topics.map((topic) => fixture.publish(topic, '1')));
    await until('all messages', async () => (await outcome('unrecognized')) === topics.length);
    expect(named().length - before).toBe(100);
  });
});
