import protobuf from 'protobufjs/light.js';
import { Rejection } from '../rejection.ts';

/**
 * What a reading needs of `sparkplug_b.proto` (Sparkplug 3.0, 6.4). What else there is is skipped. Texts are read as
 * bytes, so that what is not UTF-8 is an error and not replaced; and so are data sets and templates, which are not kept, so
 * that none of them can be nested without end.
 */
const schema = protobuf.Root.fromJSON({
  nested: {
    Payload: {
      fields: {
        timestamp: { type: 'uint64', id: 1 },
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
        uuid: { type: 'bytes', id: 4 },
      },
    },
    Metric: {
      fields: {
        name: { type: 'bytes', id: 1 },
        alias: { type: 'uint64', id: 2 },
        timestamp: { type: 'uint64', id: 3 },
        datatype: { type: 'uint32', id: 4 },
        isNull: { type: 'bool', id: 7 },
        intValue: { type: 'uint32', id: 10 },
        longValue: { type: 'uint64', id: 11 },
        floatValue: { type: 'float', id: 12 },
        doubleValue: { type: 'double', id: 13 },
        booleanValue: { type: 'bool', id: 14 },
        stringValue: { type: 'bytes', id: 15 },
        bytesValue: { type: 'bytes', id: 16 },
        datasetValue: { type: 'bytes', id: 17 },
        templateValue: { type: 'bytes', id: 18 },
        extensionValue: { type: 'bytes', id: 19 },
      },
    },
  },
});
const payloadType = schema.lookupType('Payload');

/** A whole number of 64 bits, as the library has it. */
interface Long {
  toString(): string;
}

/** Only what the message has is an own property of it. */
interface WireMetric {
  name?: Uint8Array;
  alias?: Long;
  timestamp?: Long;
  datatype?: number;
  isNull?: boolean;
  intValue?: number;
  longValue?: Long;
  floatValue?: number;
  doubleValue?: number;
  booleanValue?: boolean;
  stringValue?: Uint8Array;
}

/** What a metric holds, before its type says how it is to be read. */
export type RawValue =
  | { kind: 'integer'; bits: bigint; width: 32 | 64 }
  | { kind: 'scalar'; value: number | boolean | string | null }
  | { kind: 'unsupported' };

export interface Metric {
  name: string | undefined;
  alias: string | undefined;
  /** Epoch milliseconds. */
  timestamp: number | undefined;
  datatype: number | undefined;
  value: RawValue;
}

export interface SparkplugPayload {
  /** Epoch milliseconds. */
  timestamp: number | undefined;
  metrics: Metric[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Rejection when it is no Sparkplug B payload, or a compressed one */
export function parseSparkplug(payload: Uint8Array): SparkplugPayload {
  try {
    const { timestamp, metrics, uuid } = payloadType.decode(payload) as unknown as {
      timestamp?: Long;
      metrics: WireMetric[];
      uuid?: Uint8Array;
    };
    if (uuid !== undefined && Buffer.from(uuid).toString('latin1') === 'SPBV1.0_COMPRESSED') {
      throw new Rejection('malformed', 'the payload is compressed, which is not supported');
    }
    return { timestamp: toTime(timestamp), metrics: metrics.map(toMetric) };
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw new Rejection('malformed', `not a Sparkplug B payload: ${(error as Error).message}`);
  }
}

function toMetric(wire: WireMetric): Metric {
  return {
    name: Object.hasOwn(wire, 'name') ? utf8.decode(wire.name) : undefined,
    alias: Object.hasOwn(wire, 'alias') ? String(wire.alias) : undefined,
    timestamp: Object.hasOwn(wire, 'timestamp') ? toTime(wire.timestamp) : undefined,
    datatype: Object.hasOwn(wire, 'datatype') ? wire.datatype : undefined,
    value: toValue(wire),
  };
}

function toTime(milliseconds: Long | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Number(String(milliseconds));
}

function toValue(wire: WireMetric): RawValue {
  const has = (field: string) => Object.hasOwn(wire, field);
  if (has('isNull') && wire.isNull === true) return { kind: 'scalar', value: null };
  if (has('intValue')) return { kind: 'integer', bits: BigInt(wire.intValue ?? 0), width: 32 };
  if (has('longValue')) return { kind: 'integer', bits: BigInt(String(wire.longValue)), width: 64 };
  if (has('floatValue')) return { kind: 'scalar', value: wire.floatValue ?? null };
  if (has('doubleValue')) return { kind: 'scalar', value: wire.doubleValue ?? null };
  if (has('booleanValue')) return { kind: 'scalar', value: wire.booleanValue ?? null };
  if (has('stringValue')) return { kind: 'scalar', value: utf8.decode(wire.stringValue) };
  const unsupported = ['bytesValue', 'datasetValue', 'templateValue', 'extensionValue'].some(has);
  return unsupported ? { kind: 'unsupported' } : { kind: 'scalar', value: null };
}
