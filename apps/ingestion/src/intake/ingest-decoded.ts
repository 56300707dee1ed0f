import { namerOf } from './decode-attempt.ts';
import type { Decoded } from '../decoders/decoder.ts';
import type { Refusal, Verdict } from '../refusals/refusal.ts';
import type { Delivery, Ingest } from './delivery.ts';

/** The common part of the deliveries of one message. */
export type Sender = Omit<Delivery, 'device' | 'drafts' | 'gathered'>;

/**
 * Ingests everything that was decoded from a message: its readings, readings of other devices, and what the decoder has
 * to remember.
 * @returns the verdict, with the indexes that dead letters use
 */
export function ingestDecoded(
  { device, drafts, gathered, others = [], remembered }: Decoded,
  sender: Sender,
  ingest: Ingest,
): Promise<Verdict> {
  const ingested = ingest({ device, drafts, gathered, ...sender }).then(namerOf(drafts));
  if (others.length === 0 && remembered === undefined) return ingested;
  const { receivedAt, span, onPacked } = sender;
  const beside = others.map((other) =>
    ingestDecoded(other, { receivedAt, span, onPacked }, ingest),
  );
  return Promise.all([ingested, Promise.all(beside), remembered]).then(([own, ofOthers]) => {
    // A dead letter indexes only readings of its message; derived readings of other devices are stored when all
    // of it is replayed.
    const more = ofOthers.flatMap(({ refusals }) => refusals.map(withoutIndex));
    return { stored: own.stored, refusals: [...own.refusals, ...more] };
  });
}

function withoutIndex({ reason, detail, times }: Refusal): Refusal {
  return { reason, detail, ...(times !== undefined && { times }) };
}
