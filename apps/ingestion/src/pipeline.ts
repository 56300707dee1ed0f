import { BrokerStall, quietMs } from './intake/broker-stall.ts';
import { decodeAttempt, meantOf, namerOf } from './intake/decode-attempt.ts';
import { findDecoder } from './intake/decode-message.ts';
import { letterWeight } from './intake/memory-weight.ts';
import { MessageScale } from './intake/message-scale.ts';
import { endSpan, failSpan, markSpan } from './intake/message-tracer.ts';
import { toInternalRefusal } from './refusals/refusal.ts';
import { WriterClosed } from '@engawa/table';
import { trace } from '@opentelemetry/api';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import type { DecodeAttempt } from './intake/decode-attempt.ts';
import type { Decoded, Decoder } from './decoders/decoder.ts';
import type { Delivery, Intake } from './intake/intake.ts';
import type { MemoryClaim, MemoryShare } from './intake/memory-budget.ts';
import type { MemoryLimits } from './intake/memory-weight.ts';
import type { MessageTracer, TracedMessage } from './intake/message-tracer.ts';
import type { IngestionMetrics, MessageOutcome } from './metrics.ts';
import type { Progress } from './intake/progress.ts';
import type { Refusal, Verdict } from './refusals/refusal.ts';

export interface PipelineOptions {
  decoders: readonly Decoder[];
  intake: Intake;
  deadLetters: DeadLetterStore;
  progress: Progress;
  metrics: IngestionMetrics;
  tracer: MessageTracer;
  log: Logger;
  /** Aborts when closing begins: what fails then is left to the next process. */
  signal: AbortSignal;
  /** Messages that may be unacknowledged at once. */
  window: number;
  /** What messages take until they are durable is counted here. */
  memory: MemoryShare;
  memoryLimits: MemoryLimits;
}

/**
 * receive → decode → (the intake) → release. A message is released, and so acknowledged, when all that came of it is
 * durable: as readings, or as a dead letter.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #stall: BrokerStall;
  readonly #scale: MessageScale;
  readonly #quiet: NodeJS.Timeout;
  #draining = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#stall = new BrokerStall(options.window);
    this.#scale = new MessageScale(options.memoryLimits);
    this.#quiet = setTimeout(() => {
      const { intake } = this.#options;
      if (this.#stall.isQuiet(intake.waiting)) intake.flush();
      else if (intake.waiting > 0) this.#quiet.refresh();
    }, quietMs).unref();
  }

  receive(message: TracedMessage): void {
    this.#stall.received();
    this.#quiet.refresh();
    this.#options.progress.received(message);
    const startedAt = performance.now();
    const decoder = findDecoder(this.#options.decoders, message.topic);
    this.#options.tracer.received(message, decoder);
    const release = (outcome: MessageOutcome) => {
      this.#options.metrics.messageDone(
        decoder?.name ?? 'none',
        outcome,
        performance.now() - startedAt,
        message.span,
      );
      endSpan(message, outcome);
      this.#stall.released();
      this.#options.progress.released(message);
      message.release();
    };
    const memory = this.#options.memory.hold(letterWeight(message.payload.length));
    this.#settle(message, decoder, memory)
      .finally(() => memory.release())
      .then(release, (error: unknown) => this.#leave(message, error));
  }

  /** The broker has accepted a connection: before, messages may have been missed. */
  connected(): void {
    this.#stall.connected();
    for (const { decode: decoder } of this.#options.decoders) decoder.reconnected?.();
  }

  /** A message that was not taken in, for want of room. */
  dropped(topic: string): void {
    const decoder = findDecoder(this.#options.decoders, topic);
    this.#options.metrics.messageDropped(decoder?.name ?? 'none');
    decoder?.decode.missed?.(topic.split('/'));
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
    const { receivedAt, indexes, payload } = letter;
    const receipt = { receivedAt, replayed: indexes ?? [] };
    const decoded = await decodeAttempt(decoder, letter, { receipt, scale: this.#scale });
    if ('refusals' in decoded) return decoded;
    const drafts = meantOf(decoded.drafts, indexes);
    const weigh = this.#scale.forReadings(payload.length);
    const span = trace.getActiveSpan();
    return this.#store({ ...decoded, drafts, gathered: true }, { receivedAt, weigh, span });
  }

  /** No async function, which would keep what was decoded until all of it is stored; nor does a closure keep it. */
  #settle(
    message: TracedMessage,
    decoder: Decoder | undefined,
    memory: MemoryClaim,
  ): Promise<MessageOutcome> {
    const receipt = { receivedAt: message.receivedAt };
    const decoding = decodeAttempt(decoder, message, { receipt, scale: this.#scale });
    if (!(decoding instanceof Promise)) return this.#settleDecoded(message, decoding, memory);
    return decoding.then((decoded) => this.#settleDecoded(message, decoded, memory));
  }

  #settleDecoded(
    message: TracedMessage,
    decoded: DecodeAttempt,
    memory: MemoryClaim,
  ): Promise<MessageOutcome> {
    markSpan(message.span, 'decoded');
    if (message.isCopy === true) return this.#remember(message, decoded);
    if ('refusals' in decoded) return this.#keep(message, decoded.refusals, memory);
    if (decoded.drafts.length === 0) return Promise.resolve('ignored');
    return this.#take(message, decoded, memory).then(({ refusals }) =>
      refusals.length === 0 ? 'stored' : this.#keep(message, refusals, memory),
    );
  }

  /** Another member of the group stores the readings of a copy, or this one does with the message itself. */
  async #remember(message: TracedMessage, decoded: DecodeAttempt): Promise<MessageOutcome> {
    const { remembered } = 'drafts' in decoded ? decoded : {};
    await remembered?.catch((error: unknown) => this.#throwIfClosing(error, message));
    return 'ignored';
  }

  /** An error that nobody foresaw refuses the message: left unacknowledged it would stop all that come behind it. */
  #take(
    message: TracedMessage,
    decoded: Decoded,
    memory: MemoryClaim,
  ): Promise<Pick<Verdict, 'refusals'>> {
    const { receivedAt, payload, span } = message;
    memory.resize(this.#scale.claimOf(payload.length, decoded.drafts));
    const weigh = this.#scale.forReadings(payload.length, (bytes) => memory.resize(bytes));
    return this.#store(decoded, { receivedAt, weigh, span }).catch((error: unknown) => {
      this.#throwIfClosing(error, message);
      return { refusals: [toInternalRefusal(error)] };
    });
  }

  async #keep(
    message: TracedMessage,
    refusals: readonly Refusal[],
    memory: MemoryClaim,
  ): Promise<MessageOutcome> {
    memory.resize(letterWeight(message.payload.length));
    failSpan(message, refusals[0]?.reason ?? 'internal', refusals[0]?.detail);
    await this.#options.deadLetters.keep(message, refusals);
    return 'dead_lettered';
  }

  #throwIfClosing(error: unknown, { topic }: Message): void {
    if (error instanceof WriterClosed || this.#options.signal.aborted) throw error;
    this.#options.log.error(
      { err: error, topic },
      'unexpected error: message becomes a dead letter',
    );
  }

  /** @returns what became of its readings, by the indexes that dead letters name them by */
  #store(
    { device, drafts, gathered, others = [], remembered }: Decoded,
    receipt: Pick<Delivery, 'receivedAt' | 'weigh' | 'span'>,
  ): Promise<Verdict> {
    const taken = this.#options.intake
      .take({ device, drafts, gathered, packing: this.#flushIfFull, ...receipt })
      .then(namerOf(drafts));
    if (others.length === 0 && remembered === undefined) return taken;
    const { receivedAt, span } = receipt;
    const beside = Promise.all(others.map((other) => this.#store(other, { receivedAt, span })));
    return Promise.all([taken, beside, remembered]).then(([own, ofOthers]) => {
      // The letter names readings of the message; those that follow from it are stored when all of it is replayed.
      const more = ofOthers.flatMap(({ refusals }) => refusals.map(withoutIndex));
      return { stored: own.stored, refusals: [...own.refusals, ...more] };
    });
  }

  readonly #flushIfFull = (): void => {
    const { intake } = this.#options;
    if (this.#stall.isFull(intake.waiting)) intake.flush();
  };

  /** What is not durable is not acknowledged, so the broker sends it again: to this process, or to the next. */
  #leave(message: TracedMessage, error: unknown): void {
    failSpan(message, 'not_durable', (error as Error).message);
    message.span?.end();
    // While closing it is what becomes of every message that is still on its way.
    this.#options.log[this.#draining ? 'debug' : 'warn'](
      { reason: (error as Error).message },
      'a message could not be made durable',
    );
  }
}

function withoutIndex({ reason, detail, times }: Refusal): Refusal {
  return { reason, detail, ...(times !== undefined && { times }) };
}
