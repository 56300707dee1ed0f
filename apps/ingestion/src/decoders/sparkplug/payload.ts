import { unzipSync } from 'node:zlib';
import { invariant } from '@engawa/errors';
import protobuf from 'protobufjs/light.js';
import { Rejection } from '../../refusals/rejection.ts';
import type { RefusalCode } from '../../refusals/refusal-texts.ts';

/**
 * The part of `sparkplug_b.proto` that readings need (Sparkplug 3.0, 6.4); other fields are skipped. Texts are read as
 * bytes, so that invalid UTF-8 is an error and not replaced. Data sets and templates are read as bytes, too: they are
 * not stored, and cannot nest without a limit.
 */
const schema = protobuf.Root.fromJSON({
  nested: {
    Payload: {
      fields: {
        timestamp: { type: 'uint64', id: 1 },
        metrics: { rule: 'repeated', type: 'Metric', id: 2 },
        uuid: { type: 'bytes', id: 4 },
        body: { type: 'bytes', id: 5 },
      },
    },
    Metric: {
      fields: {
        name: { type: 'bytes', id: 1 },
        alias: { type: 'uint64', id: 2 },
        timestamp: { type: 'uint64', id: 3 },
        datatype: { type: 'uint32', id: 4 },
        isHistorical: { type: 'bool', id: 5 },
        isTransient: { type: 'bool', id: 6 },
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
const metricsField = 2;

/** `uuid` of a payload whose `body` is another, compressed payload (Sparkplug 3.0, 6.4.5). */
const compressed = 'SPBV1.0_COMPRESSED';
/** Maximum bytes of a decompressed payload: its content is in memory several times. */
const maxPayloadBytes = 4 * 1024 * 1024;
/** A metric takes at least two bytes, and hundreds in memory. */
const maxMetrics = 50_000;

/** A 64-bit integer of the library. */
interface Long {
  toString(): string;
}

/** Only fields that the message has are own properties. */
interface WireMetric {
  name?: Uint8Array;
  alias?: Long;
  timestamp?: Long;
  datatype?: number;
  isHistorical?: boolean;
  isTransient?: boolean;
  isNull?: boolean;
  intValue?: number;
  longValue?: Long;
  floatValue?: number;
  doubleValue?: number;
  booleanValue?: boolean;
  stringValue?: Uint8Array;
}

interface WirePayload {
  timestamp?: Long;
  metrics: WireMetric[];
  uuid?: Uint8Array;
  body?: Uint8Array;
}

/** The value of a metric before its type is applied. */
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
  /** The value was measured earlier. */
  isHistorical: boolean;
  /** The metric is not meant to be stored. */
  isTransient: boolean;
  /** Why its name or value could not be decoded; then the name or the value is missing. */
  decodeError: RefusalCode | undefined;
  value: RawValue;
}

export interface SparkplugPayload {
  /** Epoch milliseconds. */
  timestamp: number | undefined;
  metrics: Metric[];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @throws Rejection when the payload is not Sparkplug B, is compressed twice, or has more than 4 MB or 50,000 metrics
 */
export function parseSparkplug(payload: Uint8Array): SparkplugPayload {
  try {
    const { timestamp, metrics } = uncompressed(decode(payload));
    return { timestamp: toTime(timestamp), metrics: metrics.map(toMetric) };
  } catch (error) {
    const { message } = error as Error;
    throw new Rejection('not-sparkplug', { message: message.slice(0, 200) });
  }
}

/** The payload of a rebirth request. @param now epoch milliseconds */
export function rebirthCommand(now: number): Buffer {
  const name = Buffer.from('Node Control/Rebirth');
  const metric = { name, timestamp: now, datatype: 11, booleanValue: true };
  return Buffer.from(payloadType.encode({ timestamp: now, metrics: [metric] }).finish());
}

function decode(payload: Uint8Array): WirePayload {
  if (metricsIn(payload) > maxMetrics) throw new RangeError(`more than ${maxMetrics} metrics`);
  return payloadType.decode(payload) as unknown as WirePayload;
}

/** Counts the metrics before they are objects in memory. */
function metricsIn(payload: Uint8Array): number {
  const reader = protobuf.Reader.create(payload);
  let count = 0;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === metricsField) count += 1;
    reader.skipType(tag & 7);
  }
  return count;
}

/** GZIP and DEFLATE (with the header of RFC 1950) identify themselves, so the metric `algorithm` is not needed. */
function uncompressed(outer: WirePayload): WirePayload {
  if (!isCompressed(outer)) return outer;
  if (outer.body === undefined) throw new TypeError('it is compressed and has no body');
  const inner = decode(unzipSync(outer.body, { maxOutputLength: maxPayloadBytes }));
  if (isCompressed(inner)) throw new TypeError('it is compressed twice');
  return inner;
}

function isCompressed({ uuid }: WirePayload): boolean {
  return uuid !== undefined && Buffer.from(uuid).toString('latin1') === compressed;
}

function toMetric(wire: WireMetric): Metric {
  const has = (field: string) => Object.hasOwn(wire, field);
  const metric: Metric = {
    name: undefined,
    alias: has('alias') ? String(wire.alias) : undefined,
    timestamp: has('timestamp') ? toTime(wire.timestamp) : undefined,
    datatype: has('datatype') ? wire.datatype : undefined,
    isHistorical: has('isHistorical') && wire.isHistorical === true,
    isTransient: has('isTransient') && wire.isTransient === true,
    decodeError: undefined,
    value: { kind: 'unsupported' },
  };
  try {
    if (has('name')) metric.name = utf8.decode(wire.name);
    metric.value = toValue(wire);
  } catch {
    metric.decodeError =
      metric.name === undefined ? 'metric-name-not-text' : 'metric-value-not-text';
  }
  return metric;
}

function toTime(milliseconds: Long | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Number(String(milliseconds));
}

const present = 'a property of a decoded metric has a value';

function toValue(wire: WireMetric): RawValue {
  const has = (field: string) => Object.hasOwn(wire, field);
  if (has('isNull') && wire.isNull === true) return { kind: 'scalar', value: null };
  if (has('intValue'))
    return { kind: 'integer', bits: BigInt(invariant(wire.intValue, present)), width: 32 };
  if (has('longValue')) return { kind: 'integer', bits: BigInt(String(wire.longValue)), width: 64 };
  if (has('floatValue')) return { kind: 'scalar', value: invariant(wire.floatValue, present) };
  if (has('doubleValue')) return { kind: 'scalar', value: invariant(wire.doubleValue, present) };
  if (has('booleanValue')) return { kind: 'scalar', value: invariant(wire.booleanValue, present) };
  if (has('stringValue')) return { kind: 'scalar', value: utf8.decode(wire.stringValue) };
  const unsupported = ['bytesValue', 'datasetValue', 'templateValue', 'extensionValue'].some(has);
  return unsupported ? { kind: 'unsupported' } : { kind: 'scalar', value: null };
}
