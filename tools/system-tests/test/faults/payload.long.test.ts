import { describeWithMosquitto } from '@engawa/testing';
import { connectAsync } from 'mqtt';
import { until } from '@engawa/testing';
import { readAll } from '../oracle.ts';
import { faultTests } from './fault-tests.ts';
import type { FaultScenario } from './fault-scenario.ts';

const now = (): string => new Date().toISOString();
const utf8 = (text: string): Buffer => Buffer.from(text);

/** Payloads of devices, and whether each produces a reading. */
const payloads: readonly (readonly [name: string, payload: () => Buffer, stored: boolean])[] = [
  ['malformed', () => utf8('{"a":1,}'), false],
  ['empty', () => utf8(''), false],
  ['cut', () => utf8(`{"ts":"${now()}","a"`), false],
  ['with a byte order mark', () => utf8('\uFEFF{"a":1}'), true],
  [
    'bad UTF-8',
    () => Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
    false,
  ],
  ['a hundred thousand levels deep', () => utf8('['.repeat(100_000) + ']'.repeat(100_000)), false],
  ['__proto__', () => utf8('{"__proto__":{"polluted":1}}'), false],
  ['constructor', () => utf8('{"constructor":1}'), true],
  ['2^53+1', () => utf8('{"a":9007199254740993}'), true],
  ['39 digits', () => utf8(`{"a":${'1'.repeat(39)}}`), false],
  ['1e400', () => utf8('{"a":1e400}'), false],
  ['NaN', () => utf8('{"a":NaN}'), false],
  ['a key twice', () => utf8('{"a":1,"a":2}'), true],
  ['another device in it', () => utf8('{"device":"somebody else","a":1}'), true],
  ['far past', () => utf8('{"ts":"1999-01-01T00:00:00Z","a":1}'), false],
  ['far future', () => utf8('{"ts":"2999-01-01T00:00:00Z","a":1}'), false],
  ['seconds', () => utf8(`{"ts":${Math.floor(Date.now() / 1000)},"a":1}`), true],
  ['milliseconds', () => utf8(`{"ts":${Date.now()},"a":1}`), true],
  ['a lone surrogate', () => utf8('{"a":"\\ud800"}'), false],
  ['a field named pk', () => utf8('{"pk":"x","sk":"y","ttl":1}'), true],
  ['huge', () => utf8(`{"a":"${'x'.repeat(200_000)}"}`), false],
  ['a field with an empty name', () => utf8('{"":1}'), false],
];

/** MQTT forbids wildcards and NUL in the topic of a message [MQTT-3.3.2-2], [MQTT-1.5.4-2]. */
const deviceIds: readonly (readonly [id: string, stored: boolean])[] = [
  ['with$1', true],
  ['居間-1', true],
  ['..', false],
  ['x'.repeat(129), false],
  [' ', true],
  ['DEVICE', true],
];

describeWithMosquitto('a payload', () => {
  const fault = faultTests();

  /** Numbers of a device's readings and dead letters. */
  async function outcome(scenario: FaultScenario, topic: string, payload: Buffer) {
    const deadLetters = await scenario.backends.deadLetters();
    const { pathname } = new URL(`http://x/${encodeURIComponent(topic.split('/')[1] ?? '')}`);
    const answer = await fetch(
      `${scenario.backends.query.url}/v1/devices${pathname}/latest?limit=10`,
    );
    const body = (await answer.json()) as { readings?: unknown[] };
    const deadLetter = `${topic} ${payload.toString()}`;
    return {
      stored: body.readings?.length ?? 0,
      deadLetters: deadLetters.filter((one) => one === deadLetter).length,
    };
  }

  fault('hostile: each is stored, or kept whole as a dead letter', {}, async (scenario) => {
    await scenario.startIngestion();
    const device = await connectAsync(scenario.broker?.url ?? '');
    const cases = [
      ...payloads.map(([name, payload, stored], index) => {
        return {
          name,
          topic: `engawa/${scenario.prefix}-${index}/readings`,
          payload: payload(),
          stored,
        };
      }),
      ...deviceIds.map(([id, stored]) => {
        return { name: id, topic: `engawa/${id}/readings`, payload: utf8('{"a":1}'), stored };
      }),
    ];
    for (const { topic, payload } of cases) await device.publishAsync(topic, payload, { qos: 1 });
    const done = () => scenario.metric('engawa_ingest_messages_total');
    await until('all of them', async () => (await done()) === cases.length);
    const results = [];
    for (const { name, topic, payload, stored } of cases) {
      const found = await outcome(scenario, topic, payload);
      results.push({ name, ...found });
      expect({ name, ...found }).toEqual({
        name,
        stored: stored ? 1 : 0,
        deadLetters: stored ? 0 : 1,
      });
    }
    const kept = results.filter(({ deadLetters }) => deadLetters === 1).length;
    process.stdout.write(
      `${scenario.name}: acknowledged ${cases.length}, stored ${cases.length - kept}, dead-lettered ${kept}, lost 0, duplicated 0\n`,
    );
    await device.endAsync();
  });

  fault('10,200 readings in one message of 400 KB', {}, async (scenario) => {
    const [count, start] = [10_200, Date.now() - 12 * 3_600_000];
    const readings = Array.from({ length: count }, (_, index) => ({
      ts: start + index * 1000,
      index,
    }));
    await scenario.startIngestion();
    const device = await connectAsync(scenario.broker?.url ?? '');
    const payload = JSON.stringify(readings);
    expect(payload.length).toBeGreaterThan(300_000);
    await device.publishAsync(`engawa/${scenario.prefix}/readings`, payload, { qos: 1 });
    const [from, to] = [start, start + count * 1000].map((ms) => new Date(ms).toISOString());
    const read = () => readAll(scenario.backends.query.url, scenario.prefix, from ?? '', to ?? '');
    const progress = async () => (await read()).length;
    await until('all readings', async () => (await progress()) >= count, { progress });
    const indices = (await read()).map(({ fields }) => fields['index']);
    expect(indices).toEqual(readings.map(({ index }) => index));
    await device.endAsync();
  });

  fault('retained, before anybody subscribes', {}, async (scenario) => {
    const device = await connectAsync(scenario.broker?.url ?? '');
    const topic = `engawa/${scenario.prefix}/readings`;
    const payload = utf8(`{"ts":"${now()}","a":1}`);
    await device.publishAsync(topic, payload, { qos: 1, retain: true });
    await scenario.startIngestion();
    await until('it', async () => (await outcome(scenario, topic, payload)).stored === 1);
    await device.endAsync();
  });
});
