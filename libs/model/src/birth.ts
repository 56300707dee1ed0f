import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { birthKey, parseKey } from '@engawa/keys';
import { keyOf } from './place.ts';
import type { Document } from './item-size.ts';

/** What a birth says of one metric. */
export interface BirthMetric {
  name: string;
  /** A whole number of 64 bits, as decimal text. */
  alias: string | undefined;
  datatype: number | undefined;
}

/** A birth of a Sparkplug edge node, or of a device of it. */
export interface Birth {
  /** `<group>/<node>`. */
  node: string;
  /** Absent for the birth of the node itself. */
  device?: string | undefined;
  /** Epoch milliseconds, by the clock of the node. */
  timestamp: number;
  /**
   * Births of one epoch have timestamps that can be compared; it began at this time (epoch
   * milliseconds, by our clock), or 0. A new one begins when the node's clock is set back, or is
   * not set at all.
   */
  epoch: number;
  /** Undefined where there was a birth whose metrics are not known. */
  metrics: readonly BirthMetric[] | undefined;
  /** Of the birth of a node: what the death that belongs to it has as well. */
  bdSeq?: string | undefined;
  /** Epoch milliseconds, by our clock: when the death was received. */
  endedAt?: number | undefined;
  /** Epoch milliseconds: when this was written, which it is again from time to time while it is used. */
  writtenAt: number;
}

/** Seconds that a birth is kept after it was written: longer than dead letters are, whose data may need it. */
const retention = 60 * 86_400;
/** Bytes of compressed metrics: an item holds at most 400 KB. */
const largestMetrics = 384 * 1024;

/** Metrics that an item cannot hold are left out: then a process that reads it knows that it does not know them. */
export function birthItem(birth: Birth): Document {
  const { node, device, timestamp, epoch, metrics, bdSeq, endedAt, writtenAt } = birth;
  const packed = metrics && deflateRawSync(JSON.stringify(metrics.map(toRow)));
  return {
    ...birthKey({ node, device, timestamp }),
    epoch,
    ...(packed && packed.length <= largestMetrics && { metrics: packed }),
    ...(bdSeq !== undefined && { bdSeq }),
    ...(endedAt !== undefined && { endedAt }),
    ttl: Math.ceil(writtenAt / 1000) + retention,
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
    writtenAt: (Number(ttl) - retention) * 1000,
  };
}

type Row = [name: string, alias: string | null, datatype: number | null];

function toRow({ name, alias, datatype }: BirthMetric): Row {
  return [name, alias ?? null, datatype ?? null];
}

function unpack(metrics: Uint8Array): BirthMetric[] {
  const rows = JSON.parse(inflateRawSync(metrics).toString()) as Row[];
  return rows.map(([name, alias, datatype]) => ({
    name,
    alias: alias ?? undefined,
    datatype: datatype ?? undefined,
  }));
}
