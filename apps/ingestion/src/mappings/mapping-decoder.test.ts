import { topicFilter } from '../decoders/topic-filter.ts';
import { mappingDecoder } from './mapping-decoder.ts';
import { parseMapping, pathText } from './parse-mapping.ts';
import type { Decoded } from '../decoders/decoder.ts';

const options = { deviceIds: 'distinct', timeZone: 'UTC', tasmotaMainSensors: [] } as const;

/** Reads one message by a mapping with one entry. */
function read(
  message: object,
  payload: string,
  topic = 'a/b',
  filter = topic,
): Promise<Decoded> | Decoded {
  const parsed = parseMapping({
    mapping: 'test',
    messages: [{ topic: 'a/b', device: 'd', ...message }],
  });
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  const source = {
    filter: topicFilter(filter),
    levels: topic.split('/'),
    payload: Buffer.from(payload),
    receivedAt: Date.UTC(2026, 10, 28),
  };
  return mappingDecoder(parsed.mapping).create(options)(source);
}

async function fieldsOf(message: object, payload: string): Promise<unknown> {
  const { drafts } = await read(message, payload);
  return JSON.parse(JSON.stringify(drafts[0]?.fields ?? {}));
}

describe('values', () => {
  it.each([
    [{ number: true }, '"21.50"', '21.5'],
    [{ number: true }, '"00.227"', '0.227'],
    [{ number: true }, '"+3"', '3'],
    [{ number: { decimal: ',' } }, '"21,5"', '21.5'],
    [{ number: { decimal: ',' } }, '"1.021,5"', '"1.021,5"'],
    [{ number: { suffix: 'kWh' } }, '"7881.115 kWh"', '7881.115'],
    [{ number: { suffix: 'kWh' } }, '"7881.115 W"', '"7881.115 W"'],
    [{ scale: 0.001 }, '64541.5', '64.5415'],
    [{ scale: 1000, number: true }, '"0.227"', '227'],
    [{ scale: 0.1 }, '0.3', '0.03'],
    [
      { scale: 0.001 },
      '12345678901234567890123456789012345.678',
      '12345678901234567890123456789012.345678',
    ],
    [{ values: { ON: true, OFF: false } }, '"OFF"', 'false'],
    [{ values: { '1': 'open' } }, '1', '"open"'],
    [{ values: { ON: true } }, '"on"', '"on"'],
  ])('%j of %s', async (rule, payload, expected) => {
    const { drafts } = await read(
      { fields: [{ from: 'v', name: 'v', ...rule }] },
      `{"v":${payload}}`,
    );
    expect(JSON.stringify(drafts[0]?.fields)).toBe(`{"v":${expected}}`);
  });

  it('that mean none are no fields', async () => {
    const fields = [{ from: 'v', none: [-327.68, 'nan', null] }, { from: 'w' }];
    for (const none of ['-327.68', '"nan"', 'null'])
      expect(await fieldsOf({ fields }, `{"v":${none},"w":1}`)).toEqual({ w: 1 });
  });
});

describe('fields', () => {
  const payload = '{"id":7,"a":{"b":1,"c":[2,3]},"x.y":4}';

  it.each([
    [{}, { id: 7, a: { b: 1, c: [2, 3] }, 'x.y': 4 }],
    [{ omit: ['id', '"x.y"'] }, { a: { b: 1, c: [2, 3] } }],
    [{ others: 'drop', fields: [{ from: 'a.c.1', name: 'second' }] }, { second: 3 }],
    [
      { others: 'drop', fields: [{ from: 'a.*' }] },
      { b: 1, c: [2, 3] },
    ],
    [{ others: 'drop', fields: [{ from: '"x.y"' }] }, { 'x.y': 4 }],
    [
      { fields: [{ from: 'a.b', name: 'renamed' }], omit: ['a.c'] },
      { id: 7, 'x.y': 4, renamed: 1 },
    ],
    [{ others: 'drop', fields: [{ from: 'missing' }] }, {}],
  ])('by %j', async (message, expected) => {
    expect(await fieldsOf(message, payload)).toEqual(expected);
  });

  it('are named after values beside them', async () => {
    const fields = [{ from: '*.value', name: '{.name}' }];
    const message = { others: 'drop', fields };
    const circuit = '{"0":{"name":"flow","value":45.5},"1":{"name":"pump","value":"on"}}';
    expect(await fieldsOf(message, circuit)).toEqual({ flow: 45.5, pump: 'on' });
  });

  it('do not come from prototypes', async () => {
    const fields = [{ from: 'constructor' }, { from: 'a.__proto__' }, { from: 'a.length' }];
    expect(await fieldsOf({ others: 'drop', fields }, '{"a":[1]}')).toEqual({});
  });
});

describe('devices and readings', () => {
  it('several of one message, each with its time', async () => {
    const message = {
      each: 'sensors.*',
      device: 'gateway/{key}',
      time: { from: 'at', format: 'seconds' },
    };
    const payload =
      '{"sensors":{"kitchen":{"t":21,"at":1795817044.5},"attic":{"t":9,"at":"1795817045"}}}';
    const { device, drafts, others } = await read(message, payload);
    expect([device, drafts, others]).toEqual([
      'gateway/kitchen',
      [{ time: new Date(1_795_817_044_500), timeName: 'at', fields: { t: 21 } }],
      [
        {
          device: 'gateway/attic',
          drafts: [{ time: new Date(1_795_817_045_000), timeName: 'at', fields: { t: 9 } }],
          isBatched: false,
        },
      ],
    ]);
  });

  it('a time of the payload counts for all of them', async () => {
    const message = { each: 'list', time: { from: '/at' } };
    const { drafts } = await read(
      { ...message, each: 'list.*' },
      '{"at":"2026-11-28T00:00:00Z","list":[{"t":1},{"t":2}]}',
    );
    expect(drafts.map(({ time }) => time)).toEqual([
      '2026-11-28T00:00:00Z',
      '2026-11-28T00:00:00Z',
    ]);
  });

  it('a device without a name is refused', async () => {
    await expect(async () => read({ device: '{.id}' }, '{"t":1}')).rejects.toThrow(
      'the payload has no {.id}',
    );
  });

  it('topics below a base of the user are read by their end', async () => {
    const { device } = await read(
      { topic: '{node}/b', device: '{node}' },
      '{"t":1}',
      'site/1/a/b',
      'site/+/+/b',
    );
    expect(device).toBe('1/a');
  });

  it('a local time has the zone of its clock', async () => {
    const time = { from: 'at', format: 'local', zone: 'Europe/Berlin' };
    const { drafts } = await read({ time }, '{"at":"2026-11-27 18:42:29","t":1}');
    expect(drafts[0]?.time).toBe(Date.UTC(2026, 10, 27, 17, 42, 29));
  });
});

describe('a mapping is refused', () => {
  it.each([
    [{ device: undefined }, 'messages[0]', 'device is missing'],
    [
      { device: '{node}' },
      'messages[0].device',
      '{node} is not a level of the topic; there are {key}',
    ],
    [{ device: '{key}' }, 'messages[0]', '{key} in device needs a * in each'],
    [{ topic: '{a}/{a}' }, 'messages[0].topic', 'uses a name twice'],
    [{ topic: '{key}/b' }, 'messages[0].topic', 'give the level another name'],
    [{ topic: '{a...}/b' }, 'messages[0].topic', 'has a level after {a...}'],
    [{ topic: 'a/+' }, 'messages[0].topic', 'is not a level'],
    [{ topic: 'a/\0' }, 'messages[0].topic', 'a character that MQTT does not allow'],
    [{ topic: '$share/a/b' }, 'messages[0].topic', 'must be without $share'],
    [{ fields: [{ from: 'a..b' }] }, 'messages[0].fields[0].from', 'is not a path'],
    [{ fields: [{ from: '"\\x"' }] }, 'messages[0].fields[0].from', 'is not a name'],
    [{ fields: [{ from: '$' }] }, 'messages[0].fields[0]', 'needs a name'],
    [{ fields: [{ from: 'a', name: '{key}' }] }, 'messages[0].fields[0]', '{key} needs a *'],
    [{ omit: ['a', 'b.'] }, 'messages[0].omit[1]', 'a name is missing at its end'],
    [{ time: { from: 'at', format: 'local' } }, 'messages[0].time', 'zone is missing'],
    [{ time: { from: 'at', format: 'local', zone: 'Mars' } }, 'messages[0].time.zone', 'Mars'],
    [{ time: { from: 'at', zone: 'UTC' } }, 'messages[0].time.zone', 'for the format local'],
    [{ colour: 'red' }, 'messages[0].colour', 'colour'],
    [{ fields: [{ from: 'a', scale: 'x' }] }, 'messages[0].fields[0].scale', 'number'],
  ])('%j', (message, path, text) => {
    const parsed = parseMapping({
      mapping: 'test',
      messages: [{ topic: 'a/b', device: 'd', ...message }],
    });
    if (!('problems' in parsed)) throw new Error('it is accepted');
    expect(parsed.problems).toHaveLength(1);
    expect(pathText(parsed.problems[0]?.path ?? [])).toBe(path);
    expect(parsed.problems[0]?.message).toContain(text);
  });
});
