import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { Draft } from '../decoders/decoder.ts';
import type { IngestResult } from '../refusals/refusal.ts';

/** Readings of one device that arrived together: in a message, in a request, or in a dead letter. */
export interface DeviceReadings {
  device: string;
  drafts: readonly Draft[];
  /** Epoch milliseconds: the time of readings without a time. */
  receivedAt: number;
  /** The sender has batched the readings, so they do not wait for others to share a block. */
  isBatched: boolean;
  /** Trace span of the message or request that brought the readings. */
  traceSpan?: Span | undefined;
  /**
   * Called with the valid readings before they are packed. @throws Rejection when they need too much memory: then all
   * are refused
   */
  onChecked?: ((readings: readonly Reading[]) => void) | undefined;
  /**
   * Called when the readings have been passed to the packer: at once, or after their device has been read or
   * registered.
   */
  onPacked?: (() => void) | undefined;
}

/**
 * Stores the readings: resolves once each reading is durable or refused; rejects when the service closes first, and the
 * outcome is unknown.
 */
export type Ingest = (readings: DeviceReadings) => Promise<IngestResult>;
