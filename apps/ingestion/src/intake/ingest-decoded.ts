import { indexMapper } from './decode-attempt.ts';
import type { Decoded } from '../decoders/decoder.ts';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';
import type { SentReadings, Ingest } from './device-readings.ts';

/** The properties that the readings of all devices in one message share. */
export type Sender = Omit<SentReadings, 'device' | 'drafts' | 'isBatched'>;

/**
 * Ingests the content of a decoded message: its readings, readings of other devices, and the decoder's changed state.
 * @returns the result, with the indexes that dead letters use
 */
export function ingestDecoded(
  { device, drafts, isBatched, others = [], remembered }: Decoded,
  sender: Sender,
  ingest: Ingest,
): Promise<IngestResult> {
  const ingested = ingest({ device, drafts, isBatched, ...sender }).then(indexMapper(drafts));
  if (others.length === 0 && remembered === undefined) return ingested;
  const { receivedAt, source, traceSpan, onPacked } = sender;
  const derived = others.map((other) =>
    ingestDecoded(other, { receivedAt, source, traceSpan, onPacked }, ingest),
  );
  return Promise.all([ingested, Promise.all(derived), remembered]).then(([own, ofOthers]) => {
    // A dead letter indexes only readings of its message; derived readings of other devices are stored when all
    // of it is replayed.
    const more = ofOthers.flatMap(({ refusals }) => refusals.map(withoutIndex));
    return { stored: own.stored, refusals: [...own.refusals, ...more] };
  });
}

function withoutIndex({ reason, detail, detailCode, times }: Refusal): Refusal {
  return { reason, detail, detailCode, ...(times !== undefined && { times }) };
}

/** Whether a message has nothing but readings of one device, at their own places. */
export function isOfOneDevice({ drafts, others, remembered }: Decoded): boolean {
  return (
    (others === undefined || others.length === 0) &&
    remembered === undefined &&
    drafts.every(({ index }) => index === undefined)
  );
}
