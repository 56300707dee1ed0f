import protobuf from 'protobufjs/light.js';

/** The payloads that tests publish: all fields of a payload and a metric in `sparkplug_b.proto`. */
const schema = protobuf.Root.fromJSON({
  nested: {
    Payload: {
      fields: {
        timestamp: { type: 'uint64', id: 1 },
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
        seq: { type: 'uint64', id: 3 },
        uuid: { type: 'string', id: 4 },
        body: { type: 'bytes', id: 5 },
      },
    },
    Metric: {
      fields: {
        name: { type: 'string', id: 1 },
        alias: { type: 'uint64', id: 2 },
        timestamp: { type: 'uint64', id: 3 },
        datatype: { type: 'uint32', id: 4 },
        isHistorical: { type: 'bool', id: 5 },
        isTransient: { type: 'bool', id: 6 },
        isNull: { type: 'bool', id: 7 },
        metadata: { type: 'bytes', id: 8 },
        properties: { type: 'bytes', id: 9 },
        intValue: { type: 'uint32', id: 10 },
        longValue: { type: 'uint64', id: 11 },
        floatValue: { type: 'float', id: 12 },
        doubleValue: { type: 'double', id: 13 },
        booleanValue: { type: 'bool', id: 14 },
        stringValue: { type: 'string', id: 15 },
        bytesValue: { type: 'bytes', id: 16 },
        datasetValue: { type: 'bytes', id: 17 },
        templateValue: { type: 'bytes', id: 18 },
      },
    },
  },
});
const payloadType = schema.lookupType('Payload');

/** Epoch milliseconds of 2026-11-19T23:30:00Z. */
export const moment = 1_795_131_000_000;

/** 64-bit numbers may be given as decimal strings. */
export function sparkplugPayload(
  metrics: readonly Record<string, unknown>[],
  more: Record<string, unknown> = {},
): Uint8Array {
  const message = payloadType.fromObject({ timestamp: moment, ...more, metrics });
  return payloadType.encode(message).finish();
}

/** The payload of another implementation, as plain JSON. */
export function readPayload(payload: Uint8Array): Record<string, unknown> {
  return payloadType.toObject(payloadType.decode(payload), { longs: String });
}
