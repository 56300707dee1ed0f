import { BrokerStall, quietMs } from './broker-stall.ts';
import { decodeMessage, findDecoder } from './decode-message.ts';
import { Rejection } from './rejection.ts';
import { toInternalRefusal, toRefusal } from './refusal.ts';
import { WriterClosed } from '@engawa/table';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import type { Decoded, Decoder } from './decoders/decoder.ts';
import type { Intake } from './intake.ts';
import type { IngestionMetrics, MessageOutcome } from './metrics.ts';
import type { Progress } from './progress.ts';
import type { Refusal, Verdict } from './refusal.ts';

export interface PipelineOptions {
  decoders: readonly Decoder[];
  intake: Intake;
  deadLetters: DeadLetterStore;
  progress: Progress;
  metrics: IngestionMetrics;
  log: Logger;
  /** Aborts when closing begins: what fails then is left to the next process. */
  signal: AbortSignal;
  /** Messages that may be unacknowledged at once. */
  window: number;
}

/**
 * receive → decode → (the intake) → release. A message is released, and so acknowledged, when all that came of it is
 * durable: as readings, or as a dead letter.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #stall: BrokerStall;
  readonly #quiet: NodeJS.Timeout;
  #draining = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#stall = new BrokerStall(options.window);
    this.#quiet = setTimeout(() => {
      const { intake } = this.#options;
      if (this.#stall.isQuiet(intake.waiting)) intake.flush();
      else if (intake.waiting > 0) this.#quiet.refresh();
    }, quietMs).unref();
  }

  receive(message: Message): void {
    this.#stall.received();
    this.#quiet.refresh();
    this.#options.progress.received(message);
    const startedAt = performance.now();
    const decoder = findDecoder(this.#options.decoders, message.topic);
    const release = (outcome: MessageOutcome) => {
      this.#options.metrics.messageDone(
        decoder?.name ?? 'none',
        outcome,
        performance.now() - startedAt,
      );
      this.#stall.released();
      this.#options.progress.released(message);
      message.release();
    };
    this.#settle(message, decoder).then(release, (error: unknown) => this.#leave(error));
    if (this.#stall.isFull(this.#options.intake.waiting)) this.#options.intake.flush();
  }

  /** The broker has accepted a connection. */
  connected(): void {
    this.#stall.connected();
  }

  /** A message that was not taken in, for want of room. */
  dropped(topic: string): void {
    const decoder = findDecoder(this.#options.decoders, topic);
    this.#options.metrics.messageDropped(decoder?.name ?? 'none');
  }

  /** A message that repeats one which was received before: it becomes no reading. */
  repeated(topic: string): void {
    const decoder = findDecoder(this.#options.decoders, topic);
    this.#options.metrics.messageRepeated(decoder?.name ?? 'none');
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
    const { refusals } = 'refusals' in decoded ? decoded : await this.#take(message, decoded);
    if (refusals.length === 0) return 'stored';
    await this.#options.deadLetters.keep(message, refusals);
    return 'dead_lettered';
  }

  /** An error that nobody foresaw refuses the message: left unacknowledged it would stop all that come behind it. */
  async #take(
    { receivedAt, topic }: Message,
    decoded: Decoded,
  ): Promise<Pick<Verdict, 'refusals'>> {
    try {
      return await this.#options.intake.take({ ...decoded, receivedAt });
    } catch (error) {
      if (error instanceof WriterClosed || this.#options.signal.aborted) throw error;
      this.#options.log.error({ err: error, topic }, 'an unexpected error made a message a letter');
      return { refusals: [toInternalRefusal(error)] };
    }
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
