import { decodeMessage, nextRoute } from './decode-message.ts';
import { Interrupted } from '../decoders/interrupted.ts';
import { Rejection } from '../refusals/rejection.ts';
import { toRefusal } from '../refusals/refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { DecodeContext, Route } from './decode-message.ts';
import type { Decoded, Decoder, Draft } from '../decoders/decoder.ts';
import type { MessageScale } from './message-scale.ts';
import type { Refusal, IngestResult } from '../refusals/refusal.ts';

/** A decoded message, or the reason why it cannot be decoded. */
export type DecodeAttempt = Decoded | { stored: 0; refusals: Refusal[] };

export interface DecodeOptions {
  context: DecodeContext;
  /** Refuses messages that need more memory than one message may have. */
  scale: Pick<MessageScale, 'checkPayload' | 'checkDrafts'>;
}

/** Whether no decoder that the message was given to recognizes the payload. */
export function isUnproven(attempt: DecodeAttempt | Promise<DecodeAttempt>): boolean {
  return 'isUnproven' in attempt && attempt.isUnproven === true;
}

/**
 * Gives the payload to the decoders whose filters match the topic, until one of them recognizes it.
 * @param routed has the route of the first decoder, and afterwards that of the last
 * @throws Interrupted, as a rejected promise, when the service closes first
 */
export function decodeByFirst(
  routed: { route: Route | undefined },
  payload: Uint8Array,
  options: DecodeOptions & { decoders: readonly Decoder[] },
): DecodeAttempt | Promise<DecodeAttempt> {
  const { route } = routed;
  const attempt = decodeAttempt(route, payload, options);
  if (route === undefined || !isUnproven(attempt)) return attempt;
  const next = nextRoute(options.decoders, route);
  if (next === undefined) return attempt;
  routed.route = next;
  return decodeByFirst(routed, payload, options);
}

function decodeAttempt(
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

/** The drafts that a dead letter contains: drafts with the given indexes, or all drafts; without stored fields. */
export function draftsOfDeadLetter(
  drafts: readonly Draft[],
  { indexes = [], partlyStored = [] }: Pick<DeadLetter, 'indexes' | 'partlyStored'>,
): Draft[] {
  const meant = new Set(indexes);
  const stored = new Map(
    partlyStored.flatMap((part) => part.indexes.map((index) => [index, part.fields] as const)),
  );
  const indexed = drafts.map((draft, place) => {
    const index = draft.index ?? place;
    const storedFields = stored.get(index);
    return { ...draft, index, ...(storedFields && { storedFields }) };
  });
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
