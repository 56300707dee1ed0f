import { describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import type { Mosquitto } from '@engawa/testing';
import { publishBackfill } from '../src/index.ts';
import { oneHour } from '../src/physics/clock.ts';
import { Publisher } from '../src/publisher.ts';

describeWithMosquitto('with Mosquitto', () => {
  let broker: Mosquitto;
  beforeAll(async () => {
    const settings = ['allow_anonymous true', 'max_inflight_messages 5'];
    broker = await startMosquitto({ settings });
  });
  afterAll(() => broker.close());

  it.each(['3.1.1', '5'] as const)('backfills over MQTT %s on one connection', async (version) => {
    const from = Date.parse('2025-01-20T06:00:00+09:00');
    let taken = 0;
    const lines: string[] = [];
    const result = await publishBackfill({
      url: broker.url,
      version,
      from,
      to: from + oneHour,
      bundleMinutes: 1,
      onAcknowledged: () => (taken += 1),
      print: (line) => lines.push(line),
    });
    expect(result.messages).toBeGreaterThan(600);
    expect(taken).toBe(result.messages);
    expect(lines.filter((line) => line.startsWith('connected'))).toEqual([
      `connected to ${broker.url}`,
    ]);
  });

  it('begins a trace with each message of MQTT 5', async () => {
    const listener = await connectAsync(broker.url, { protocolVersion: 5 });
    const contexts: unknown[] = [];
    listener.on('message', (_topic, _payload, { properties }) => {
      contexts.push(properties?.userProperties?.['traceparent']);
    });
    await listener.subscribeAsync('engawa/+/readings', { qos: 1 });
    const publisher = new Publisher({ url: broker.url, version: '5', print: () => undefined });
    const { signal } = new AbortController();
    await publisher.publish({ topic: 'engawa/one/readings', payload: '{}' }, signal);
    await publisher.publish({ topic: 'engawa/two/readings', payload: '{}' }, signal);
    await until('both', () => contexts.length === 2);
    await publisher.close();
    await listener.endAsync();
    for (const context of contexts) expect(context).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    expect(new Set(contexts).size).toBe(2);
  });
});
