import { decode, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';
import { moment, sparkplugPayload } from '../../test/sparkplug.ts';
import type { Reading } from '@engawa/model';
import type { Decoder } from './decoder.ts';

const int8 = 1;
const int32 = 3;
const int64 = 4;
const uint64 = 8;
const float = 9;
const text = 12;

let decoders: Decoder[];
beforeEach(() => {
  decoders = newDecoders('sparkplug');
});

type Metrics = Record<string, unknown>[];

function readings(path: string, metrics: Metrics, more?: Record<string, unknown>): Reading[] {
  return readingsOf(decode(decoders, `spBv1.0/${path}`, sparkplugPayload(metrics, more)));
}

function reasonOf(path: string, metrics: Metrics, more?: Record<string, unknown>): string {
  return rejectionOf(() => readings(path, metrics, more)).reason;
}

/** Of the metric in the birth of a node. */
function valueOf(metric: Record<string, unknown>): unknown {
  return readings('G/NBIRTH/E', [{ name: 'x', ...metric }])[0]?.fields['x'];
}

describe('a metric', () => {
  it.each([
    ['Int8 of 32 bits', { datatype: int8, intValue: 4_294_967_295 }, '-1'],
    ['Int8 of 8 bits', { datatype: int8, intValue: 255 }, '-1'],
    ['Int8', { datatype: int8, intValue: 127 }, '127'],
    ['Int16', { datatype: 2, intValue: 4_294_934_528 }, '-32768'],
    ['Int32', { datatype: int32, intValue: 4_294_967_289 }, '-7'],
    ['Int32 in the long field', { datatype: int32, longValue: '18446744073709551609' }, '-7'],
    ['Int64', { datatype: int64, longValue: '9223372036854775808' }, '-9223372036854775808'],
    ['UInt8', { datatype: 5, intValue: 255 }, '255'],
    ['UInt32', { datatype: 7, longValue: '4294967295' }, '4294967295'],
    ['UInt64', { datatype: uint64, longValue: '18446744073709551615' }, '18446744073709551615'],
    ['DateTime', { datatype: 13, longValue: moment }, String(moment)],
    ['Float', { datatype: float, floatValue: 21.5 }, '21.5'],
    ['Double', { datatype: 10, doubleValue: 0.1 }, '0.1'],
    ['Boolean', { datatype: 11, booleanValue: false }, 'false'],
    ['String', { datatype: text, stringValue: '居間' }, '居間'],
    ['an empty String', { datatype: text, stringValue: '' }, ''],
    ['null', { datatype: text, isNull: true }, 'null'],
    ['no value at all', { datatype: text }, 'null'],
  ])('of %s is exact', (_name, metric, expected) => {
    expect(String(valueOf(metric))).toBe(expected);
  });

  it.each([
    ['Int8', { datatype: int8, intValue: 300 }],
    ['UInt8', { datatype: 5, intValue: 256 }],
    ['UInt32', { datatype: 7, longValue: '4294967296' }],
    ['NaN', { datatype: float, floatValue: Number.NaN }],
    ['1e300', { datatype: 10, doubleValue: 1e300 }],
  ])('out of the range of %s is refused', (_name, metric) => {
    expect(rejectionOf(() => valueOf(metric)).reason).toBe('bad_number');
  });

  it('that cannot be kept is refused alone', () => {
    const { drafts } = decode(
      decoders,
      'spBv1.0/G/NBIRTH/E',
      sparkplugPayload([
        { name: 'type', datatype: 19, templateValue: Buffer.from([1]) },
        { name: 'x', datatype: int8, intValue: 1 },
      ]),
    );
    const [kept, refused] = drafts.map((draft) => ({ ...draft }));
    expect(kept?.fields).toEqual({ online: true, x: 1 });
    expect(Object.keys(refused?.fields ?? {})).toEqual(['type']);
    expect(
      rejectionOf(() => readingsOf({ device: 'd', drafts: drafts.slice(1), gathered: false }))
        .message,
    ).toContain('template');
  });

  it('is a reading of its own for each of its times', () => {
    const early = moment - 60_000;
    const found = readings('G/DDATA/E/D', [
      { name: 'x', datatype: int8, intValue: 1, timestamp: early },
      { name: 'y', datatype: int8, intValue: 2, timestamp: early },
      { name: 'x', datatype: int8, intValue: 3 },
      { name: 'x', datatype: int8, intValue: 4 },
    ]);
    expect(found).toEqual([
      { time: early, fields: { x: 1, y: 2 } },
      { time: moment, fields: { x: 3 } },
      { time: moment, fields: { x: 4 } },
    ]);
  });

  it('called online does not hide that the node is', () => {
    const found = readings('G/NBIRTH/E', [{ name: 'online', datatype: text, stringValue: 'no' }]);
    expect(found.map(({ fields }) => fields['online'])).toEqual([true, 'no']);
  });

  it.each([
    [{ name: '__proto__', datatype: int8, intValue: 1 }, 'bad_field'],
    [{ name: '', datatype: int8, intValue: 1 }, 'bad_field'],
    [{ datatype: int8, intValue: 1 }, 'malformed'],
  ])('named %j is refused as %s', (metric, reason) => {
    expect(reasonOf('G/NDATA/E', [metric])).toBe(reason);
  });
});

describe('an alias', () => {
  const birth = [{ name: 'Offset', alias: 3, datatype: int32, intValue: 0 }];
  const data = [{ alias: 3, intValue: 4_294_967_288 }];

  it('stands for the name and the type of the birth', () => {
    readings('G/DBIRTH/E/D', birth);
    expect(readings('G/DDATA/E/D', data)[0]?.fields).toEqual({ Offset: -8 });
    expect(
      readings('G/DDATA/E/D', [{ name: 'Offset', intValue: 4_294_967_288 }])[0]?.fields,
    ).toEqual({ Offset: -8 });
  });

  it('is not known before the birth, of another device, or after the birth of the node', () => {
    expect(reasonOf('G/DDATA/E/D', data)).toBe('unknown_alias');
    readings('G/DBIRTH/E/D', birth);
    expect(reasonOf('G/DDATA/E/D2', data)).toBe('unknown_alias');
    readings('G/NBIRTH/E', []);
    expect(reasonOf('G/DDATA/E/D', data)).toBe('unknown_alias');
  });

  it('is what the latest birth says', () => {
    readings('G/NBIRTH/E', birth);
    readings('G/NBIRTH/E', [{ ...birth[0], name: 'Other' }], { timestamp: moment + 1 });
    expect(readings('G/NDATA/E', data)[0]?.fields).toEqual({ Other: -8 });
  });

  it('survives a birth that comes twice', () => {
    readings('G/NBIRTH/E', []);
    readings('G/DBIRTH/E/D', birth);
    readings('G/NBIRTH/E', []);
    expect(readings('G/DDATA/E/D', data)).toHaveLength(1);
  });

  it('is forgotten when an older birth comes, rather than wrong', () => {
    readings('G/NBIRTH/E', birth);
    readings('G/NBIRTH/E', [{ ...birth[0], name: 'Old' }], { timestamp: moment - 1 });
    expect(reasonOf('G/NDATA/E', data)).toBe('unknown_alias');
  });

  it('is needed for the sign of a number of no known type', () => {
    expect(readings('G/NDATA/E', [{ name: 'x', intValue: 7 }])[0]?.fields).toEqual({ x: 7 });
    expect(reasonOf('G/NDATA/E', [{ name: 'x', intValue: 4_294_967_288 }])).toBe('unknown_alias');
  });
});

describe('a death', () => {
  it('of a device was when it says, of a node when it is received', () => {
    const [device] = readings('G/DDEATH/E/D', []);
    const [node] = readings('G/NDEATH/E', [
      { name: 'bdSeq', datatype: int64, longValue: 3, timestamp: 5 },
    ]);
    expect(device).toEqual({ time: moment, fields: { online: false } });
    expect(node).toEqual({
      time: Date.parse('2026-11-20T00:00:00Z'),
      fields: { online: false, bdSeq: 3 },
    });
  });
});

describe('a message', () => {
  it.each(['G/NCMD/E', 'G/DCMD/E/D', 'G/STATE/E', 'G/WHAT/E', 'STATE/host/x'])(
    'on %s has no reading',
    (path) => {
      expect(decode(decoders, `spBv1.0/${path}`, 'anything').drafts).toEqual([]);
    },
  );

  it.each([
    ['G/NDATA/E/D', 'bad_device'],
    ['G/DDATA/E', 'bad_device'],
    ['/NDATA/E', 'bad_device'],
    [`G/NDATA/${'E'.repeat(130)}`, 'bad_device'],
  ])('on %s is refused as %s', (path, reason) => {
    expect(reasonOf(path, [])).toBe(reason);
  });

  it.each([
    ['JSON', '{"timestamp": 1}'],
    [
      'a compressed one',
      sparkplugPayload([], { uuid: 'SPBV1.0_COMPRESSED', body: Buffer.alloc(4) }),
    ],
    ['a name that is not UTF-8', Buffer.from('12030a01ff', 'hex')],
    ['groups nested without end', Buffer.alloc(100_000, 0x7b)],
    ['a metric longer than the payload', Buffer.from('12ff', 'hex')],
  ])('of %s is refused', (_name, payload) => {
    const attempt = () => decode(decoders, 'spBv1.0/G/NDATA/E', payload);
    expect(rejectionOf(attempt).reason).toBe('malformed');
  });

  it('without metrics has no reading, unless it is a birth', () => {
    expect(readings('G/NDATA/E', [])).toEqual([]);
    expect(readings('G/NBIRTH/E', [])).toHaveLength(1);
  });

  it('may be below another base', () => {
    decoders = newDecoders('sparkplug=site/spBv1.0/#');
    const payload = sparkplugPayload([{ name: 'x', datatype: int8, intValue: 1 }]);
    expect(decode(decoders, 'site/spBv1.0/G/DDATA/E/D', payload).device).toBe('G/E/D');
    expect(decode(decoders, 'site/spBv1.0', payload).drafts).toEqual([]);
  });
});
