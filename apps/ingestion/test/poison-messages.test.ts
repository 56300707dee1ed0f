import { deviceKey } from '@engawa/keys';
import { describeWithMosquitto, openBeforeEach, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { IngestionFixture } from './ingestion-fixture.ts';
import { sparkplugPayload } from './sparkplug.ts';

interface DeadLetterResponse {
  reason: string;
  detail: string;
  topic: string;
  bytes: number;
  properties: Record<string, string[]>;
}

const fixture = openBeforeEach(() => IngestionFixture.open());

const good = JSON.stringify({ ts: Date.now() - 60_000, x: 1 });
const deadLetters = async () =>
  ((await fixture.ask('/v1/deadLetters')).body as { items: DeadLetterResponse[] }).items;

/** The message becomes a dead letter, and both messages are acknowledged. */
async function expectGoodReadingBehind(): Promise<DeadLetterResponse> {
  await until('the good reading', async () => (await fixture.readingsOf('good')).length === 1);
  await fixture.settled(2);
  const [deadLetter] = await deadLetters();
  if (deadLetter === undefined) throw new Error('there is no dead letter');
  return deadLetter;
}

describe('does not block a good reading behind it', () => {
  it('a Sparkplug metric without a type whose name has 70 KB', async () => {
    await fixture.start();
    const name = `${'\u0001'.repeat(70_000)}居`;
    const payload = sparkplugPayload([{ name, intValue: 0xffffffff }]);
    await fixture.publish('spBv1.0/g/DDATA/n/d', Buffer.from(payload));
    await fixture.publish('engawa/good/readings', good);
    const { detail, bytes } = await expectGoodReadingBehind();
    expect(Buffer.byteLength(detail)).toBeLessThanOrEqual(1024);
    expect(bytes).toBe(payload.length);
  });

  it('a reading of a year that no key has', async () => {
    await fixture.start({ READING_MAX_AGE_DAYS: '36525' });
    await fixture.publish('engawa/poison/readings', '{"ts":-99e12,"x":1}');
    await fixture.publish('engawa/good/readings', good);
    expect(await expectGoodReadingBehind()).toMatchObject({ reason: 'bad_time' });
  });

  // DynamoDB accepts no attribute without a name, even within a map; the embedded engine does.
  it.each(['{"":1}', '{"x":1,"nested":{"":1}}', '[{"x":{"":{"y":1}}}]'])(
    'a reading with a field without a name: %s',
    async (text) => {
      await fixture.start();
      await fixture.publish('engawa/poison/readings', text);
      await fixture.publish('engawa/good/readings', good);
      const deadLetter = await expectGoodReadingBehind();
      expect(deadLetter).toMatchObject({ reason: 'bad_field', bytes: text.length });
      expect(deadLetter.detail).toContain('has an empty name');
    },
  );

  it('a reading of a device whose item in the table cannot be read', async () => {
    await fixture.start();
    await fixture.table.put({ ...deviceKey('poison'), name: 'of another program' });
    await fixture.publish('engawa/poison/readings', '{"x":1}');
    await fixture.publish('engawa/good/readings', good);
    const deadLetter = await expectGoodReadingBehind();
    expect(deadLetter).toMatchObject({ reason: 'internal_error' });
    expect(deadLetter.detail).toContain('an error in Engawa: ');
  });
});

describeWithMosquitto('does not block a good reading behind it', () => {
  it('a dead letter with a user property named __proto__', async () => {
    const broker = await startMosquitto();
    const publisher = await connectAsync(broker.url, { protocolVersion: 5 });
    try {
      await fixture.start({ MQTT_URL: broker.url, MQTT_VERSION: '5' });
      const userProperties = JSON.parse('{"__proto__":"x","twice":["1","2"]}') as object;
      await publisher.publishAsync('engawa/poison/readings', 'no JSON', {
        qos: 1,
        properties: { userProperties: { ...userProperties } },
      });
      await publisher.publishAsync('engawa/good/readings', good, { qos: 1 });
      const { properties } = await expectGoodReadingBehind();
      expect(Object.entries(properties)).toEqual([
        ['__proto__', 'x'],
        ['twice', ['1', '2']],
      ]);
    } finally {
      await publisher.endAsync();
      await fixture.service?.close();
      await broker.close();
    }
  });
});
