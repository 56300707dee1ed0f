import { decodeMessage } from './decode-message.ts';
import { Interrupted } from '../decoders/interrupted.ts';
import { Rejection } from '../refusals/rejection.ts';
import { toRefusal } from '../refusals/refusal.ts';
import type { DecodeContext, Route } from './decode-message.ts';
import type { Decoded, Draft } from '../decoders/decoder.ts';
import type { MessageScale } from './message-scale.ts';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';

/** A decoded message, or the reason why it cannot be decoded. */
export type DecodeAttempt = Decoded | { stored: 0; refusals: Refusal[] };

export interface DecodeOptions {
  context: DecodeContext;
  /** Refuses messages that need more memory than one message may have. */
  scale: Pick<MessageScale, 'checkPayload' | 'checkDrafts'>;
}

/** @throws Interrupted, as a rejected promise, when the service closes first */
export function decodeAttempt(
  route: Route | undefined,
  payload: Uint8Array,
  { context, scale }: DecodeOptions,
): DecodeAttempt | Promise<DecodeAttempt> {
  const { length } = payload;
  try {
    if (route === undefined) throw new Rejection('no-decoder');
    scale.checkPayload(length);
    const decoded = decodeMessage(route, payload, context);
    if (decoded instanceof Promise)
      return decoded.then((late) => checked(late, length, scale)).catch(refused);
    return checked(decoded, length, scale);
  } catch (error) {
    return refused(error);
  }
}

function checked(decoded: Decoded, payloadBytes: number, scale: DecodeOptions['scale']): Decoded {
  scale.checkDrafts(payloadBytes, decoded.drafts);
  return decoded;
}

function refused(error: unknown): { stored: 0; refusals: Refusal[] } {
  if (error instanceof Interrupted) throw error;
  return { stored: 0, refusals: [toRefusal(error)] };
}

/** The drafts that a dead letter contains: drafts with the given indexes, or all drafts. */
export function draftsOfDeadLetter(
  drafts: readonly Draft[],
  indexes: readonly number[] = [],
): Draft[] {
  const meant = new Set(indexes);
  const indexed = drafts.map((draft, place) => ({ ...draft, index: draft.index ?? place }));
  const chosen = indexed.filter(
    ({ index, within = index }) => meant.has(index) || meant.has(within),
  );
  const found = new Set(chosen.flatMap(({ index, within = index }) => [index, within]));
  // The decoder may have changed and index the readings differently: then all drafts are included.
  return meant.size > 0 && indexes.every((index) => found.has(index)) ? chosen : indexed;
}

/** @returns a function that replaces the indexes in a result by the indexes of dead letters; it holds no draft */
export function indexMapper(drafts: readonly Draft[]): (result: IngestResult) => IngestResult {
  if (drafts.every(({ index }) => index === undefined)) return (result) => result;
  const indexes = drafts.map(({ index }) => index);
  return ({ stored, refusals }) => ({
    stored,
    refusals: refusals.map(({ index, ...refusal }) =>
      index === undefined ? refusal : { ...refusal, index: indexes[index] ?? index },
    ),
  });
}
