import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBroker } from '@engawa/embedded';
import { describeWithMosquitto, startMosquitto, until } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { pino } from 'pino';
import { selfTestTopic } from '../src/index.ts';
import { startSubscriber } from './start-subscriber.ts';
import type { SubscriberOptions } from '../src/index.ts';

let close: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of close.toReversed()) await step();
  close = [];
});

const topic = 'engawa/engawa-self-test-a/readings';
const failures = 'engawa_mqtt_self_tests_failed_total';

function start(url: string, options: Partial<SubscriberOptions>) {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const started = startSubscriber(url, { selfTestTopic: topic, log, ...options });
  close.push(() => started.subscriber.close());
  const failed = async () => {
    const text = (await started.registry.getSingleMetricAsString(failures)).split('\n').at(-1);
    return Number(text?.split(' ').at(-1));
  };
  return { ...started, lines, failed };
}

async function mosquittoWith(...rules: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-acl-'));
  const file = join(folder, 'acl');
  writeFileSync(file, `${rules.join('\n')}\n`);
  const broker = await startMosquitto({
    settings: ['allow_anonymous true', `acl_file ${file}`],
  });
  close.push(
    () => rmSync(folder, { recursive: true }),
    () => broker.close(),
  );
  return broker.url;
}

describeWithMosquitto('a self test', () => {
  it('reports a broker that grants the subscription and delivers nothing', async () => {
    const url = await mosquittoWith('topic write engawa/#');
    const { subscriber, failed } = start(url, { version: '5' });
    await until(
      'the failure',
      () => subscriber.unavailableReason()?.includes('delivers nothing') === true,
    );
    expect(await failed()).toBe(1);
  });

  it('without the permission to publish leaves the subscription unchecked', async () => {
    const url = await mosquittoWith('topic read engawa/#');
    const { ready, registry, received, failed, lines } = start(url, { version: '5' });
    await ready();
    const isTold = () => lines.some((line) => line.includes('rejects the self-test message'));
    await until('the refusal', isTold);
    // Mosquitto 2.0.11 may end the connection because of the message; then there is one new connection, and no more.
    await ready();
    expect(await registry.getSingleMetricAsString('engawa_mqtt_connects_total')).toMatch(
      /total [12]$/,
    );
    expect([received, await failed()]).toEqual([[], 0]);
  });

  it.each(['5', '3.1.1'] as const)(
    'is not emitted on any replica, with a group or without (MQTT %s)',
    async (version) => {
      const url = await mosquittoWith('topic readwrite engawa/#');
      const one = start(url, { version, clientId: 'a', group: 'g' });
      const other = start(url, {
        version,
        clientId: 'b',
        selfTestTopic: 'engawa/engawa-self-test-b/readings',
      });
      await Promise.all([one.ready(), other.ready()]);
      const device = await connectAsync(url);
      close.push(() => device.endAsync());
      await device.publishAsync('engawa/d/readings', 'x', { qos: 1 });
      await until('the message', () => one.received.length * other.received.length === 1);
    },
  );
});

it('a self test is not emitted with the embedded broker either', async () => {
  const broker = await startBroker();
  close.push(() => broker.close());
  const { ready, received } = start(broker.url, {});
  await ready();
  const device = await connectAsync(broker.url);
  close.push(() => device.endAsync());
  await device.publishAsync('engawa/d/readings', 'x', { qos: 1 });
  await until('the message', () => received.length === 1);
});

it.each([
  ['engawa/+/readings', 'engawa/engawa-self-test-a_b/readings'],
  ['zigbee2mqtt/#', 'zigbee2mqtt/engawa-self-test-a_b'],
  ['+/status/+', 'engawa-self-test-a_b/status/engawa-self-test'],
  ['home/engawa-self-test/x', 'home/engawa-self-test-a_b/x'],
  ['home/door', undefined],
])('the topic of a self test for %s is %s', (filter, expected) => {
  expect(selfTestTopic(filter, 'a/b')).toBe(expected);
});
