import { gzipSync } from 'node:zlib';
import { maxDecompressedBytes, maxDevices, maxSteps, StepCount } from './mapping-limits.ts';
import { mappingDocument } from './mapping-document.ts';
import { MessageMapping } from './message-mapping.ts';
import { parseMapping } from './parse-mapping.ts';
import { tryMapping } from './try-mapping.ts';
import type { MappedMessage } from './try-mapping.ts';

function documentOf(message: object) {
  return { mapping: 'test', messages: [{ topic: '{place}/b', device: 'd', ...message }] };
}

/** Reads a message by a mapping with one entry. */
function read(message: object, payload: Uint8Array | string): Promise<MappedMessage> {
  const parsed = parseMapping(documentOf(message));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return tryMapping(parsed.mapping, {
    topic: 'a/b',
    payload: Buffer.from(payload),
    receivedAt: Date.UTC(2026, 10, 28),
  });
}

/** Steps of a message, however many there are. */
function stepsFor(message: object, payload: unknown): number {
  const { messages } = mappingDocument.parse(documentOf(message));
  const [mapping] = messages.map((rule) => new MessageMapping(rule));
  const count = new StepCount();
  mapping?.read({ levels: ['a'], payload, receivedAt: 0, count });
  return count.steps;
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index);
const keyed = (length: number) =>
  Object.fromEntries(numbers(length).map((index) => [`n${index}`, { v: index }]));

describe('steps grow with the payload', () => {
  it.each([
    ['each element', { each: '*' }, (length: number) => numbers(length).map((v) => ({ v }))],
    ['each name', { each: '*', device: 'd/{key}' }, (length: number) => keyed(length)],
    ['fields of a wildcard', { fields: [{ from: '*.v', name: '{key}' }] }, keyed],
    ['a wildcard that is left out', { omit: ['*.v', '*.w'] }, keyed],
    ['names that are left out', { omit: numbers(200).map((n) => `n${n}`) }, keyed],
  ])('%s', (_, message, payload) => {
    const [few, many] = [stepsFor(message, payload(90)), stepsFor(message, payload(900))];
    expect(many).toBeLessThan(few * 11);
    expect(many).toBeLessThan(900 * 40);
  });

  it('not with the number of rules for other names', () => {
    const rules = numbers(200).map((n) => `other${n}.x.y`);
    expect(stepsFor({ omit: rules }, keyed(100))).toBe(stepsFor({ omit: [] }, keyed(100)));
  });
});

describe('a message is refused that is', () => {
  const list = JSON.stringify(numbers(2000));
  const everywhere = numbers(200).map((n) => ({ from: '/big', name: `f${n}` }));

  it.each([
    ['a list for each of its elements', { each: 'big.*', fields: everywhere }, `{"big":${list}}`],
    [
      'wildcards upon wildcards',
      { others: 'drop', fields: numbers(200).map((n) => ({ from: '*.*', name: `f${n}` })) },
      `[${Array(50).fill(list).join()}]`,
    ],
    [
      'a long text for each element',
      { each: 'list.*', fields: [{ from: '/text', name: 'text' }] },
      `{"list":${list},"text":"${'x'.repeat(50_000)}"}`,
    ],
  ])('%s', async (_, message, payload) => {
    const { readings, refusals } = await read(message, payload);
    expect(readings).toEqual([]);
    expect(refusals).toEqual([
      expect.objectContaining({
        reason: 'too_large',
        detail: `the mapping needs more than ${maxSteps} steps to read the payload`,
      }),
    ]);
  });

  it('of too many devices', async () => {
    const message = { each: '*', device: '{key}' };
    const { refusals } = await read(message, JSON.stringify(keyed(maxDevices + 1)));
    expect(refusals).toEqual([expect.objectContaining({ reason: 'too_large' })]);
    const { readings } = await read(message, JSON.stringify(keyed(maxDevices)));
    expect(readings).toHaveLength(maxDevices);
  });

  it('much larger when it is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, 0x20));
    expect(bomb.length).toBeLessThan(20_000);
    const { refusals } = await read({ compression: 'gzip' }, bomb);
    expect(refusals).toEqual([
      expect.objectContaining({
        reason: 'too_large',
        detail: `the payload has more than ${maxDecompressedBytes} bytes when it is decompressed`,
      }),
    ]);
  });
});

describe('gzip', () => {
  it('is read if the mapping says so', async () => {
    const payload = gzipSync('{"t":21.5}');
    const { readings } = await read({ compression: 'gzip' }, payload);
    expect(readings).toEqual([expect.objectContaining({ fields: { t: 21.5 } })]);
    expect((await read({}, payload)).refusals).toEqual([
      expect.objectContaining({ reason: 'malformed' }),
    ]);
  });

  it.each([
    ['plain JSON', '{"t":1}'],
    ['truncated', gzipSync('{"t":21.5}').subarray(0, 15)],
  ])('is refused where the payload is %s', async (_, payload) => {
    const { refusals } = await read({ compression: 'gzip' }, payload);
    expect(refusals).toEqual([
      expect.objectContaining({
        reason: 'malformed',
        detail: expect.stringContaining('the payload is not gzip') as string,
      }),
    ]);
  });
});

describe('names of prototypes', () => {
  const payload =
    '{"__proto__":{"t":1},"constructor":2,"toString":3,"hasOwnProperty":4,"list":[5],"x":{"__proto__":6}}';

  it('are names like others, except __proto__', async () => {
    const { readings, refusals } = await read({}, payload);
    expect(readings.map(({ fields }) => fields)).toEqual([
      { constructor: 2, toString: 3, hasOwnProperty: 4, 'list.0': 5 },
    ]);
    expect(refusals.map(({ reason }) => reason)).toEqual(['bad_field']);
    expect(Object.prototype).not.toHaveProperty('t');
  });

  it('lead to nothing that the payload lacks', async () => {
    const names = ['constructor', 'toString', '__proto__', 'list.length', 'list.map', 'x.valueOf'];
    const fields = names.map((from, index) => ({ from, name: `f${index}` }));
    const { readings } = await read({ others: 'drop', fields }, '{"list":[1],"x":{},"y":1}');
    expect(readings).toEqual([]);
  });

  it('in templates and tables of words are texts', async () => {
    const values = JSON.parse('{"__proto__":1,"on":2}') as object;
    const fields = [
      { from: 'a', values },
      { from: 'b', values, name: 'constructor' },
    ];
    const { readings } = await read({ others: 'drop', fields }, '{"a":"toString","b":"on"}');
    expect(readings.map((one) => one.fields)).toEqual([{ a: 'toString', constructor: 2 }]);
  });
});

describe('names and numbers of any length', () => {
  it('of fields are refused like those of other decoders', async () => {
    const fields = [{ from: '*.v', name: '{key}{key}{key}{key}' }];
    const long = 'n'.repeat(100_000);
    const { refusals } = await read(
      { others: 'drop', fields },
      JSON.stringify({ [long]: { v: 1 }, short: { v: 2 } }),
    );
    expect(refusals).toEqual([expect.objectContaining({ reason: 'bad_field' })]);
  });

  it('of devices are refused', async () => {
    const { refusals } = await read(
      { each: '*', device: '{.id}' },
      JSON.stringify([
        { id: 'a', t: 1 },
        { id: 'x'.repeat(100_000), t: 1 },
      ]),
    );
    expect(refusals).toEqual([expect.objectContaining({ reason: 'bad_device' })]);
  });

  it('that are no numbers stay texts', async () => {
    const fields = [{ from: 'a', number: true }];
    const zeros = `1${'0'.repeat(50_000)}1`;
    const { readings } = await read({ fields }, JSON.stringify({ a: zeros }));
    expect(readings.map((one) => one.fields)).toEqual([{ a: zeros }]);
  });
});

it('a topic of 30,000 levels is refused, because it names no device', async () => {
  const parsed = parseMapping(documentOf({ topic: 'a/{rest...}', device: '{rest}' }));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  const topic = Array(30_000).fill('a').join('/');
  const message = { topic, payload: Buffer.from('{"t":1}'), receivedAt: 0 };
  const { refusals } = await tryMapping(parsed.mapping, message);
  expect(refusals).toEqual([expect.objectContaining({ reason: 'bad_device' })]);
});
