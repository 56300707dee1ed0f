import { decodeMessage, findDecoder } from './decode-message.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { Rejection } from './rejection.ts';
import { toRefusal } from './refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import type { Decoded, Decoder } from './decoders/decoder.ts';
import type { Intake } from './intake.ts';
import type { IngestionMetrics, MessageOutcome } from './metrics.ts';
import type { Refusal, Verdict } from './refusal.ts';

export interface PipelineOptions {
  decoders: readonly Decoder[];
  intake: Intake;
  deadLetters: DeadLetterStore;
  metrics: IngestionMetrics;
  log: Logger;
  /** Messages that may be unacknowledged at once. */
  window: number;
}

/**
 * receive → decode → (the intake) → release. A message is released, and so acknowledged, when all that came of it is
 * durable: as readings, or as a dead letter.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #limit: InFlightLimit;
  #inFlight = 0;
  #draining = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#limit = new InFlightLimit(options.window);
  }

  receive(message: Message): void {
    this.#inFlight += 1;
    this.#limit.received(this.#inFlight, message.receivedAt);
    const decoder = findDecoder(this.#options.decoders, message.topic);
    const release = (outcome: MessageOutcome) => {
      this.#options.metrics.messageDone(decoder?.name ?? 'none', outcome, message.receivedAt);
      this.#limit.released(this.#inFlight, Date.now());
      this.#inFlight -= 1;
      message.release();
    };
    this.#settle(message, decoder).then(release, (error: unknown) => this.#leave(error));
    if (this.#limit.reached(this.#options.intake.waiting)) this.#options.intake.flush();
  }

  /** A message that was not taken in, for want of room. */
  dropped(topic: string): void {
    const decoder = findDecoder(this.#options.decoders, topic);
    this.#options.metrics.messageDropped(decoder?.name ?? 'none');
  }

  /** Waits for nothing any more: what is being packed is written at once, and so is what still arrives. */
  drain(): void {
    this.#draining = true;
    this.#options.intake.drain();
  }

  /**
   * What becomes of a dead letter by now. Its readings have the times that they would have had at its receipt, so that
   * those which were stored then, or by a replay that was interrupted, are not stored twice.
   */
  async replay(letter: DeadLetter): Promise<Verdict> {
    const decoder = findDecoder(this.#options.decoders, letter.topic);
    const decoded = decode(decoder, letter);
    if ('refusals' in decoded) return decoded;
    const { drafts } = decoded;
    // By other indexes than these a decoder that has changed since may know the readings; then all are meant.
    const areNamed = letter.indexes?.every((index) => index < drafts.length) === true;
    const indexes = areNamed ? (letter.indexes ?? []) : [...drafts.keys()];
    const { stored, refusals } = await this.#options.intake.take({
      device: decoded.device,
      drafts: indexes.flatMap((index) => drafts[index] ?? []),
      receivedAt: letter.receivedAt,
      gathered: true,
    });
    const named = refusals.map(({ index, ...refusal }) => {
      const original = index === undefined ? undefined : indexes[index];
      return original === undefined ? refusal : { ...refusal, index: original };
    });
    return { stored, refusals: named };
  }

  async #settle(message: Message, decoder: Decoder | undefined): Promise<MessageOutcome> {
    const decoded = decode(decoder, message);
    if ('drafts' in decoded && decoded.drafts.length === 0) return 'ignored';
    const { refusals } =
      'refusals' in decoded
        ? decoded
        : await this.#options.intake.take({ ...decoded, receivedAt: message.receivedAt });
    if (refusals.length === 0) return 'stored';
    await this.#options.deadLetters.keep(message, refusals);
    return 'dead_lettered';
  }

  /** What is not durable is not acknowledged, so the broker sends it again: to this process, or to the next. */
  #leave(error: unknown): void {
    // While closing it is what becomes of every message that is still on its way.
    this.#options.log[this.#draining ? 'debug' : 'warn'](
      { reason: (error as Error).message },
      'a message could not be made durable',
    );
  }
}

function decode(
  decoder: Decoder | undefined,
  { topic, payload }: { topic: string; payload: Uint8Array },
): Decoded | { stored: 0; refusals: Refusal[] } {
  try {
    if (decoder === undefined) throw new Rejection('no_decoder', 'no decoder takes this topic');
    return decodeMessage(decoder, topic, payload);
  } catch (error) {
    return { stored: 0, refusals: [toRefusal(error)] };
  }
}
