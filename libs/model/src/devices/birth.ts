import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { birthKey, parseKey } from '@engawa/keys';
import { keyOf } from '../places/place.ts';
import type { Document } from '../values/item-size.ts';

/** A metric as declared by a birth. */
export interface BirthMetric {
  name: string;
  /** A whole number of 64 bits, as decimal text. */
  alias: string | undefined;
  datatype: number | undefined;
}

/** A birth of a Sparkplug edge node, or of one of its devices. */
export interface Birth {
  /** `<group>/<node>`. */
  node: string;
  /** Absent for the birth of the node itself. */
  device?: string | undefined;
  /** Epoch milliseconds, by the clock of the node. */
  timestamp: number;
  /**
   * Start of the epoch (epoch milliseconds, by our clock), or 0. Timestamps of births are comparable within an epoch; a
   * new epoch begins when the node's clock is set back or is not set.
   */
  epoch: number;
  /** Undefined for a birth whose metrics are unknown. */
  metrics: readonly BirthMetric[] | undefined;
  /** Sequence number of a node's birth, which the matching death repeats. */
  bdSeq?: string | undefined;
  /** Time of receipt of the death, in epoch milliseconds by our clock. */
  endedAt?: number | undefined;
  /** Epoch milliseconds; renewed from time to time while the birth is in use. */
  writtenAt: number;
}

/** Retention after the last write, in seconds: longer than dead letters, whose replay may need the birth. */
const retentionSeconds = 60 * 86_400;
/** Maximum size of compressed metrics in bytes: an item holds at most 400 KB. */
const maxMetricsBytes = 384 * 1024;

/** Metrics that do not fit into an item are omitted, so that a reader knows that they are unknown. */
export function birthItem(birth: Birth): Document {
  const { node, device, timestamp, epoch, metrics, bdSeq, endedAt, writtenAt } = birth;
  const packed = metrics && deflateRawSync(JSON.stringify(metrics.map(toRow)));
  return {
    ...birthKey({ node, device, timestamp }),
    epoch,
    ...(packed && packed.length <= maxMetricsBytes && { metrics: packed }),
    ...(bdSeq !== undefined && { bdSeq }),
    ...(endedAt !== undefined && { endedAt }),
    ttl: Math.ceil(writtenAt / 1000) + retentionSeconds,
  };
}

/** @throws TypeError when the item is not a birth */
export function parseBirth(item: Document): Birth {
  const key = parseKey(keyOf(item));
  if (key.item !== 'birth') throw new TypeError(`not a birth: ${keyOf(item).pk}`);
  const { node, device, timestamp } = key;
  const { epoch, metrics, bdSeq, endedAt, ttl } = item;
  return {
    node,
    device,
    timestamp,
    epoch: Number(epoch ?? 0),
    metrics: metrics instanceof Uint8Array ? unpack(metrics) : undefined,
    bdSeq: typeof bdSeq === 'string' ? bdSeq : undefined,
    endedAt: endedAt === undefined ? undefined : Number(endedAt),
    writtenAt: (Number(ttl) - retentionSeconds) * 1000,
  };
}

type MetricTuple = [name: string, alias: string | null, datatype: number | null];

function toRow({ name, alias, datatype }: BirthMetric): MetricTuple {
  return [name, alias ?? null, datatype ?? null];
}

function unpack(metrics: Uint8Array): BirthMetric[] {
  const rows = JSON.parse(inflateRawSync(metrics).toString()) as MetricTuple[];
  return rows.map(([name, alias, datatype]) => ({
    name,
    alias: alias ?? undefined,
    datatype: datatype ?? undefined,
  }));
}
