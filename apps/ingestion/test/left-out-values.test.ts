import { encode } from 'cborg';
import { openBeforeAll, until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { Reading } from '@engawa/model';

interface LeftOut {
  index?: number;
  field: string;
  reason: string;
  detail: string;
}

interface DeadLetterResponse {
  id: string;
  reason: string;
  detail: string;
  topic: string;
  receivedAt: string;
  indexes?: number[];
  leftOut?: LeftOut[];
}

const fixture = openBeforeAll(() => IngestionFixture.open());
beforeAll(() => fixture.start());

async function letterOf(topic: string): Promise<DeadLetterResponse | undefined> {
  const { body } = await fixture.ask('/v1/deadLetters?limit=1000');
  return (body as { items: DeadLetterResponse[] }).items.find((each) => each.topic === topic);
}

/** The dead letter of a message. */
async function publish(topic: string, payload: string | Buffer): Promise<DeadLetterResponse> {
  await fixture.publish(topic, payload);
  await until(`the dead letter of ${topic}`, async () => (await letterOf(topic)) !== undefined);
  await until('nothing unacknowledged', async () => {
    return (await fixture.metric('engawa_ingest_unacknowledged_messages')) === 0;
  });
  const letter = await letterOf(topic);
  if (letter === undefined) throw new Error(`no dead letter of ${topic}`);
  return letter;
}

const storedOf = async (device: string): Promise<Reading['fields'][]> =>
  (await fixture.readingsOf(device)).map(({ fields }) => fields);

const name300 = 'k'.repeat(300);
const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
const cbor = (value: unknown) => Buffer.from(encode(value));

describe('a bad value beside good ones', () => {
  it.each<[string, string | Buffer, Reading['fields'], string, string, string]>([
    ['range', '{"t":21.5,"x":1e200}', { t: 21.5 }, '"x"', 'bad_number', 'out of range'],
    ['nan', cbor({ t: 2, n: NaN }), { t: 2 }, '"n"', 'bad_number', 'NaN or an infinity'],
    ['infinity', cbor({ t: 2, n: -Infinity }), { t: 2 }, '"n"', 'bad_number', 'NaN or an infinity'],
    ['bytes', cbor({ t: 2, b: { c: Buffer.of(1) } }), { t: 2 }, '"b.c"', 'bad_field', 'of bytes'],
    [
      'number-name',
      cbor(
        new Map<unknown, unknown>([
          ['t', 2],
          [7, 1],
        ]),
      ),
      { t: 2 },
      '"7"',
      'bad_field',
      'a number for a name',
    ],
    ['empty-key', '{"t":21.5,"":1}', { t: 21.5 }, '""', 'bad_field', 'empty name'],
    [
      'inner-empty-key',
      '{"t":21.5,"s":{"":{"y":1},"z":2}}',
      { t: 21.5, 's.z': 2 },
      '"s."',
      'bad_field',
      'empty name',
    ],
    [
      'long-key',
      `{"t":21.5,"${name300}":1}`,
      { t: 21.5 },
      `"${'k'.repeat(64)}…"`,
      'bad_field',
      'more than 255 bytes',
    ],
    [
      'deep',
      `{"t":21.5,"d":${deep}}`,
      { t: 21.5 },
      `"d.${'a.'.repeat(30)}a"`,
      'too_deep',
      'more than 32 deep',
    ],
    [
      'proto',
      '{"t":21.5,"__proto__":{"x":1}}',
      { t: 21.5 },
      '"__proto__"',
      'bad_field',
      '__proto__',
    ],
    ['half', '{"t":21.5,"h":"\\ud800"}', { t: 21.5 }, '"h"', 'bad_field', 'surrogate pair'],
    [
      'large',
      `{"t":21.5,"l":"${'x'.repeat(70_000)}"}`,
      { t: 21.5 },
      '"l"',
      'too_large',
      '70000 bytes',
    ],
    [
      'literal',
      '{"t":"nan: \\"NaN\\"","n":[NaN,1]}',
      { t: 'nan: "NaN"', 'n.1': 1 },
      '"n.0"',
      'bad_number',
      'NaN or an infinity',
    ],
    [
      'twice',
      '{"t":1,"a.b":1,"a":{"b":2}}',
      { t: 1 },
      '"a.b"',
      'bad_field',
      'two fields are called "a.b"',
    ],
  ])('of the case %s is left out and named', async (device, payload, good, field, reason, why) => {
    const letter = await publish(`engawa/${device}/readings`, payload);
    expect(await storedOf(device)).toEqual([good]);
    expect(letter).toMatchObject({ reason, indexes: [0], leftOut: [{ index: 0, field, reason }] });
    expect(letter.leftOut?.[0]?.detail).toContain(why);
    expect(letter.detail).toContain(why);
    expect(letter.detail).toContain('the others of their readings are stored');
  });

  it.each<[string, string, string, Reading['fields'], string]>([
    [
      'a Shelly',
      'sh-bad/events/rpc',
      '{"method":"NotifyStatus","params":{"switch:0":{"apower":1e200},"switch:1":{"apower":5}}}',
      { 'switch:1.power': 5 },
      '"power"',
    ],
    [
      'a Tasmota with a literal nan',
      'tele/th-nan/SENSOR',
      '{"DHT11":{"Temperature":nan,"Humidity":40},"DS18B20":{"Id":"0000AABBCCDD","Temperature":18.4},"TempUnit":"C"}',
      {
        humidity: 40,
        TempUnit: 'C',
        'DS18B20-0000AABBCCDD.Id': '0000AABBCCDD',
        'DS18B20-0000AABBCCDD.temperature': 18.4,
      },
      '"temperature"',
    ],
    [
      'a Zigbee2MQTT device with two values of one name',
      'zigbee2mqtt/twice-named',
      '{"linkquality":1,"linkQuality":2,"x":3}',
      { x: 3 },
      '"linkQuality"',
    ],
  ])('of %s is left out', async (_, topic, payload, good, field) => {
    const letter = await publish(topic, payload);
    const device = topic.startsWith('sh-bad') ? 'sh-bad' : (topic.split('/')[1] ?? '');
    expect(await storedOf(device)).toEqual([good]);
    expect(letter.leftOut).toMatchObject([{ index: 0, field }]);
  });

  it('does not refuse other readings of the message, and good messages cause no dead letter', async () => {
    const letter = await publish(
      'engawa/mixed/readings',
      '[{"x":1},{"y":1,"z":1e999},{"ts":"bad","x":2},{"z":-1e999}]',
    );
    expect((await storedOf('mixed')).toSorted()).toEqual([{ x: 1 }, { y: 1 }]);
    expect(letter).toMatchObject({ indexes: [1, 2, 3], leftOut: [{ index: 1, field: '"z"' }] });
    await fixture.publish('engawa/fine/readings', '{"x":1}');
    await until('the good reading', async () => (await storedOf('fine')).length === 1);
    expect(await letterOf('engawa/fine/readings')).toBeUndefined();
  });
});

describe('over HTTP', () => {
  it('the answer counts stored readings, and names left-out values', async () => {
    const body =
      '{"device":"h","x":1}\n{"device":"h","x":1e200,"y":2,"":3}\n{"device":"h","y":NaN}';
    const answer = await fixture.post('/v1/readings', body, 'application/x-ndjson');
    expect(answer).toMatchObject({
      status: 202,
      body: {
        stored: 2,
        refusedCount: 1,
        refused: [{ index: 2, reason: 'bad_number' }],
        leftOutCount: 2,
        leftOut: [
          { index: 1, field: '"x"', reason: 'bad_number', detailCode: { code: 'number-unfit' } },
          { index: 1, field: '""', reason: 'bad_field' },
        ],
      },
    });
    expect((await storedOf('h')).toSorted()).toEqual([{ x: 1 }, { y: 2 }]);
    expect(await letterOf('h')).toBeUndefined();
  });

  it('one reading with a literal NaN', async () => {
    const answer = await fixture.post('/v1/readings?device=lenient', '{"x":NaN,"y":2}');
    expect(answer).toMatchObject({ status: 202, body: { stored: 1, leftOutCount: 1 } });
    expect(await storedOf('lenient')).toEqual([{ y: 2 }]);
  });
});
