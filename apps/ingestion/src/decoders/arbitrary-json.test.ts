import { encode } from 'cborg';
import fc from 'fast-check';
import { decode, newDecoders, readingsOf } from '../../test/decoding.ts';
import { Rejection } from '../refusals/rejection.ts';

/** A topic of each kind whose payload is parsed. */
const topics = [
  'engawa/d/readings',
  'zigbee2mqtt/d',
  'tele/d/SENSOR',
  'homeassistant/sensor/d/attribute',
  'nature/d/smart_meter',
  'd/status/switch:0',
  'd/events/rpc',
  'spBv1.0/G/NDATA/E',
];

const decoders = newDecoders();

/** Accepts every outcome except errors other than a rejection. */
function expectVerdict(topic: string, payload: Uint8Array): void {
  try {
    for (const draft of decode(decoders, topic, payload).drafts) {
      verdict(() => readingsOf({ device: 'd', drafts: [draft], isBatched: false }));
    }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}

function verdict(action: () => unknown): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
  }
}

/** Any JSON, and objects with names that decoders read. */
const names = fc.constantFrom(
  ...[
    'Time',
    'ts',
    'ENERGY',
    'Total',
    'Power',
    'TempUnit',
    'Temperature',
    'params',
    'events',
    'method',
  ],
  ...[
    'component',
    'switch:0',
    'aenergy',
    'total',
    'temperature:0',
    'tC',
    'contact',
    'voltage',
    'battery',
  ],
  ...[
    'echonetlite_properties',
    'epc',
    'val',
    'name',
    'updated_at',
    'last_seen',
    '__proto__',
    'constructor',
  ],
);
const scalar = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('NotifyStatus', 'NotifyEvent', 'C', 211, 224, 225, 231, '1', 'input:0'),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(names, fc.string()), tie('value'), { maxKeys: 6 }),
  ),
}));

describe.each(topics)('on %s', (topic) => {
  it('any JSON is decoded, ignored or rejected', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          value.map((any) => JSON.stringify(any)),
        ),
        (json) => {
          expectVerdict(topic, Buffer.from(json));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('any CBOR is decoded, ignored or rejected', () => {
    fc.assert(
      fc.property(
        fc.oneof(value, fc.anything({ withBigInt: true, withTypedArray: true })),
        (any) => {
          let payload: Uint8Array;
          try {
            payload = encode(any);
          } catch {
            return; // CBOR has no such value
          }
          expectVerdict(topic, payload);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('any bytes are decoded, ignored or rejected', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (payload) => expectVerdict(topic, payload)),
      { numRuns: 1000 },
    );
  });
});
