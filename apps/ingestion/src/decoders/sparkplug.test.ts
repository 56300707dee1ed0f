import { deflateSync, gzipSync } from 'node:zlib';
import { decode, newDecoders, readingsOf } from '../../test/decoding.ts';
import { rejectionOf } from '../../test/rejection-of.ts';
import { SparkplugDecoding } from '../../test/sparkplug-decoding.ts';
import { moment, sparkplugPayload } from '../../test/sparkplug.ts';
import type { Decoder } from './decoder.ts';

const int8 = 1;
const int32 = 3;
const int64 = 4;
const uint64 = 8;
const float = 9;
const text = 12;

let sparkplug: SparkplugDecoding;
let decoders: readonly Decoder[];
beforeEach(() => {
  sparkplug = new SparkplugDecoding();
  ({ decoders } = sparkplug);
});

const readings: SparkplugDecoding['readings'] = (...message) => sparkplug.readings(...message);
const reasonOf: SparkplugDecoding['reasonOf'] = (...message) => sparkplug.reasonOf(...message);

/** Of the metric in the birth of a node. */
function valueOf(metric: Record<string, unknown>): unknown {
  return readings('G/NBIRTH/E', [{ name: 'x', ...metric }])[0]?.fields['x'];
}

it('tells nodes of equal names below several base topics apart', () => {
  const sites = newDecoders('sparkplug=+/spBv1.0/#');
  const born = [{ name: 'x', alias: 1, datatype: int32, intValue: 7 }];
  decode(sites, 'north/spBv1.0/G/NBIRTH/E', sparkplugPayload(born));
  decode(sites, 'south/spBv1.0/G/NBIRTH/E', sparkplugPayload([{ ...born[0], name: 'y' }]));
  const data = sparkplugPayload([{ alias: 1, intValue: 8 }]);
  const decoded = decode(sites, 'north/spBv1.0/G/NDATA/E', data);
  expect([decoded.device, readingsOf(decoded)[0]?.fields]).toEqual(['north/G/E', { x: 8 }]);
});

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

  it('that cannot be stored is refused alone', () => {
    const { drafts } = decode(
      decoders,
      'spBv1.0/G/NBIRTH/E',
      sparkplugPayload([
        { name: 'type', datatype: 19, templateValue: Buffer.from([1]) },
        { name: 'x', datatype: int8, intValue: 1 },
      ]),
    );
    const [kept, refused] = drafts;
    expect(kept?.fields).toEqual({ online: true, x: 1 });
    expect(refused?.rejection).toMatchObject({ reason: 'bad_number' });
    expect(refused?.rejection?.message).toContain('template');
  });

  it('is a reading for each of its times', () => {
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

  it('that is historical is a separate reading; one that is transient is no reading', () => {
    const x = { name: 'x', datatype: int8, intValue: 1 };
    const found = readings('G/NDATA/E', [
      x,
      { ...x, name: 'y', isHistorical: true },
      { ...x, name: 'z', isTransient: true },
    ]);
    expect(found).toEqual([
      { time: moment, fields: { x: 1 } },
      { time: moment, fields: { y: 1 }, isHistorical: true },
    ]);
  });

  it('called online does not hide the state of the node', () => {
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

describe('a death', () => {
  it('of a device has its timestamp, of a node its time of receipt', () => {
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

const compressed = (body: Uint8Array) => sparkplugPayload([], { uuid: 'SPBV1.0_COMPRESSED', body });

describe('a message', () => {
  it.each([
    ['GZIP', gzipSync],
    ['DEFLATE', deflateSync],
  ])('compressed by %s is read', (_, compress) => {
    const inner = sparkplugPayload([{ name: 'x', datatype: int8, intValue: 1 }]);
    const { drafts } = decode(decoders, 'spBv1.0/G/NDATA/E', compressed(compress(inner)));
    expect(drafts).toMatchObject([{ time: new Date(moment), fields: { x: 1 } }]);
  });

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
    ['a body that is not compressed', compressed(Buffer.alloc(4))],
    ['a body compressed twice', compressed(gzipSync(compressed(gzipSync(Buffer.alloc(0)))))],
    ['5 MB in a few', compressed(gzipSync(Buffer.alloc(5 * 1024 * 1024)))],
    [
      '50,001 metrics in a few bytes',
      compressed(gzipSync(Buffer.from('1200'.repeat(50_001), 'hex'))),
    ],
    ['a name that is not UTF-8', Buffer.from('12030a01ff', 'hex')],
    ['groups nested without end', Buffer.alloc(100_000, 0x7b)],
    ['a metric longer than the payload', Buffer.from('12ff', 'hex')],
  ])('of %s is refused', (_name, payload) => {
    const attempt = () => readingsOf(decode(decoders, 'spBv1.0/G/NDATA/E', payload));
    expect(rejectionOf(attempt).reason).toBe('malformed');
  });

  it('without metrics contains no reading, except a birth', () => {
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
