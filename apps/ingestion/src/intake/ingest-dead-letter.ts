import { trace } from '@opentelemetry/api';
import { Rejection } from '../refusals/rejection.ts';
import { toRefusal } from '../refusals/refusal.ts';
import { decodeByFirst, draftsOfDeadLetter, isUnproven } from './decode-attempt.ts';
import { routeOf } from './decode-message.ts';
import { ingestDecoded } from './ingest-decoded.ts';
import type { DeadLetter, Reading } from '@engawa/model';
import type { Decoder } from '../decoders/decoder.ts';
import type { IngestResult } from '../refusals/refusal.ts';
import type { Ingest } from './device-readings.ts';
import type { MessageScale } from './message-scale.ts';

export interface ReplayOptions {
  decoders: readonly Decoder[];
  scale: MessageScale;
  ingest: Ingest;
}

/**
 * Decodes a dead letter again and stores its readings. Readings without a time get the time of receipt of the dead
 * letter, so that readings which are stored already, by an interrupted replay for example, are not stored twice.
 */
export async function ingestDeadLetter(
  deadLetter: DeadLetter,
  { decoders, scale, ingest }: ReplayOptions,
): Promise<IngestResult> {
  const route = routeOf(decoders, deadLetter.topic);
  const { receivedAt, indexes, payload } = deadLetter;
  const context = { receivedAt, replayed: indexes ?? [] };
  const decoded = await decodeByFirst({ route }, payload, { context, scale, decoders });
  if ('refusals' in decoded) return decoded;
  // A dead letter keeps what nobody recognizes: a later filter or version may.
  if (isUnproven(decoded)) {
    return { stored: 0, refusals: [toRefusal(new Rejection('payload-unrecognized'))] };
  }
  const drafts = draftsOfDeadLetter(decoded.drafts, deadLetter);
  const sender = {
    receivedAt,
    source: { deadLetter: deadLetter.id },
    onChecked: (readings: readonly Reading[]) => void scale.checkReadings(payload.length, readings),
    traceSpan: trace.getActiveSpan(),
  };
  return ingestDecoded({ ...decoded, drafts, isBatched: true }, sender, ingest);
}
