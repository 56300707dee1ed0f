import type { Span } from '@opentelemetry/api';
import type { Draft } from '../decoders/decoder.ts';
import type { IngestCaller } from './ingest-caller.ts';
import type { IngestResult } from '../refusals/refusal.ts';

/** What the sender tells of a delivery. */
export interface DeliverySource {
  /** Of an MQTT message: client identifier, packet identifier (QoS 1) and DUP flag. */
  session?: string;
  messageId?: number | undefined;
  duplicate?: boolean;
  /** Whether the broker replays it to a new session: it may be stored already. */
  retained?: boolean;
  /** Of a replay: the id of the dead letter, by which a second replay is recognised. */
  deadLetter?: string;
}

/** Readings of one device that arrived together: in a message, in a request, or in a dead letter. */
export interface DeviceReadings {
  device: string;
  drafts: readonly Draft[];
  /** Epoch milliseconds: the time of readings without a time. */
  receivedAt: number;
  /** The sender has batched the readings, so they do not wait for others to share a block. */
  isBatched: boolean;
  /** Identifies the delivery, so that a repeated one is recognized. */
  source?: DeliverySource | undefined;
  /** Whether somebody uploads readings of a device, perhaps of long ago. */
  isUploaded?: boolean;
  /** Trace span of the message or request that brought the readings. */
  traceSpan?: Span | undefined;
}

/** Readings, and the parts of their caller that the sender may leave out. */
export type SentReadings = DeviceReadings & Pick<IngestCaller, 'onChecked' | 'onPacked'>;

/**
 * Stores the readings: resolves once each reading is durable or refused; rejects when the service closes first, and the
 * outcome is unknown.
 */
export type Ingest = (readings: SentReadings) => Promise<IngestResult>;

/** Whether the receipt of the readings does not tell when the device sent them. */
export function isReplayed({
  source,
  isUploaded = false,
}: Pick<DeviceReadings, 'source' | 'isUploaded'>): boolean {
  return isUploaded || source?.retained === true;
}
