import { invariant } from '@engawa/errors';
import { WriterClosed } from '@engawa/table';
import { toInternalRefusal } from '../refusals/refusal.ts';
import { decodeByFirst, isUnproven } from './decode-attempt.ts';
import { findDecoder, routeOf } from './decode-message.ts';
import { deadLetterWeight } from './memory-weight.ts';
import { endSpan, failSpan } from './message-tracer.ts';
import type { Reading } from '@engawa/model';
import type { Logger } from 'pino';
import type { DecodeAttempt } from './decode-attempt.ts';
import type { Route } from './decode-message.ts';
import type { DeadLetterStore } from '../dead-letters/dead-letter-store.ts';
import type { Decoder, Draft } from '../decoders/decoder.ts';
import type { Refusal } from '../refusals/refusal.ts';
import type { FlushOnStall } from './flush-on-stall.ts';
import type { MemoryClaim, MemoryShare } from './memory-budget.ts';
import type { MessageMetrics, MessageOutcome } from './message-metrics.ts';
import type { MessageScale } from './message-scale.ts';
import type { MessageTracer, MessageWithSpan } from './message-tracer.ts';
import type { OldestMessageWatch, PendingMessage } from './oldest-message-watch.ts';
import type { UnrecognizedTopics } from './unrecognized-topics.ts';

export interface IncomingMessagesOptions {
  decoders: readonly Decoder[];
  /** Accounts for the memory that messages take until they are durable. */
  memory: MemoryShare;
  scale: MessageScale;
  stall: FlushOnStall;
  oldestMessage: OldestMessageWatch;
  tracer: MessageTracer;
  deadLetters: Pick<DeadLetterStore, 'store'>;
  unrecognized: Pick<UnrecognizedTopics, 'received'>;
  metrics: MessageMetrics;
  log: Logger;
  /** Aborts when closing begins. */
  signal: AbortSignal;
}

/** A message that is not acknowledged yet. */
export class UnacknowledgedMessage implements PendingMessage {
  readonly message: MessageWithSpan;
  /** Of the decoder that decodes the message; undefined where no decoder takes the topic. */
  route: Route | undefined;
  readonly memory: MemoryClaim;
  /** Monotonic milliseconds. */
  readonly startedAt = performance.now();
  previous: PendingMessage | undefined;
  next: PendingMessage | undefined;

  constructor(message: MessageWithSpan, route: Route | undefined, memory: MemoryClaim) {
    this.message = message;
    this.route = route;
    this.memory = memory;
  }

  get topic(): string {
    return this.message.topic;
  }

  get decoderName(): string {
    return this.route?.decoder.name ?? 'none';
  }
}

/** The first and the last steps of a message: receive and decode; release, or abandon. */
export class IncomingMessages {
  readonly #options: IncomingMessagesOptions;

  constructor(options: IncomingMessagesOptions) {
    this.#options = options;
  }

  receive(message: MessageWithSpan): UnacknowledgedMessage {
    const { decoders, memory, oldestMessage, tracer } = this.#options;
    const route = routeOf(decoders, message.topic);
    const claim = memory.hold(deadLetterWeight(message.payload.length));
    const received = new UnacknowledgedMessage(message, route, claim);
    oldestMessage.received(received);
    tracer.received(message, route?.decoder);
    return received;
  }

  /** Topic and payload become drafts of readings. */
  decode(received: UnacknowledgedMessage): DecodeAttempt | Promise<DecodeAttempt> {
    const { decoders, scale } = this.#options;
    const { receivedAt, payload } = received.message;
    return decodeByFirst(received, payload, { context: { receivedAt }, scale, decoders });
  }

  /** Releases a message that contains no reading. */
  releaseWithoutReading(received: UnacknowledgedMessage, decoded: DecodeAttempt): void {
    if (isUnproven(decoded)) {
      this.#options.unrecognized.received(received.topic);
      this.release(received, 'unrecognized');
    } else this.release(received, 'ignored');
  }

  /** Claims memory for drafts that are not checked in this turn of the event loop. */
  weighDrafts({ message, memory }: UnacknowledgedMessage, drafts: readonly Draft[]): void {
    const claim = this.#options.scale.claimOf(message.payload.length, drafts);
    if (claim !== undefined) memory.resize(claim);
  }

  /** @throws Rejection when the readings need too much memory */
  weighReadings({ message, memory }: UnacknowledgedMessage, readings: readonly Reading[]): void {
    memory.resize(this.#options.scale.checkReadings(message.payload.length, readings));
  }

  /** Readings of a message have been packed. */
  packed(): void {
    this.#options.stall.packed();
  }

  /** Stores the whole message as a dead letter. */
  async storeDeadLetter(
    { message, memory }: UnacknowledgedMessage,
    refusals: readonly Refusal[],
  ): Promise<MessageOutcome> {
    memory.resize(deadLetterWeight(message.payload.length));
    const { reason, detail } = invariant(refusals[0], 'a dead letter has a refusal');
    failSpan(message, reason, detail);
    await this.#options.deadLetters.store(message, refusals);
    return 'dead_lettered';
  }

  /**
   * Waits until the decoder has stored its state from a copy. Another member of the group stores the readings of a
   * copy.
   */
  async remember(received: UnacknowledgedMessage, decoded: DecodeAttempt): Promise<MessageOutcome> {
    const { remembered } = 'drafts' in decoded ? decoded : {};
    await remembered?.catch((error: unknown) => {
      this.#throwIfClosing(error);
      const { topic } = received.message;
      this.#options.log.error(
        { err: error, topic },
        'storing the state of a copied message failed',
      );
    });
    return 'ignored';
  }

  /**
   * Stores a message with an unexpected error as a dead letter: unacknowledged, it would block all later messages.
   * @throws the error when the service is closing: the message is delivered again
   */
  async storeAsDeadLetter(
    received: UnacknowledgedMessage,
    error: unknown,
  ): Promise<MessageOutcome> {
    this.#throwIfClosing(error);
    this.#options.log.error(
      { err: error, topic: received.topic },
      'unexpected error: message becomes a dead letter',
    );
    return this.storeDeadLetter(received, [toInternalRefusal(error)]);
  }

  /** Everything in the message is durable: its PUBACK may leave. */
  release(received: UnacknowledgedMessage, outcome: MessageOutcome): void {
    const { metrics, oldestMessage } = this.#options;
    const { message, memory, decoderName, startedAt } = received;
    memory.release();
    metrics.released(decoderName, outcome, performance.now() - startedAt, message.traceSpan);
    endSpan(message, outcome);
    oldestMessage.released(received);
    message.release();
  }

  /** Releases or abandons the message. */
  releaseAfter(received: UnacknowledgedMessage, ended: Promise<MessageOutcome>): void {
    ended.then(
      (outcome) => this.release(received, outcome),
      (error: unknown) => this.abandon(received, error),
    );
  }

  /** Without a PUBACK the broker delivers the message again: to this process, or to the next. */
  abandon({ message, memory }: UnacknowledgedMessage, error: unknown): void {
    const { log, signal } = this.#options;
    memory.release();
    failSpan(message, 'not_durable', (error as Error).message);
    message.traceSpan?.end();
    // While closing, all messages in flight end here.
    log[signal.aborted ? 'debug' : 'warn'](
      { reason: (error as Error).message, topic: message.topic },
      'message not acknowledged: the broker delivers it again',
    );
  }

  /** The broker has accepted a connection. Messages may have been missed before. */
  connected(): void {
    this.#options.stall.connected();
    for (const { decode: decoder } of this.#options.decoders) decoder.reconnected?.();
  }

  /** A message of QoS 0 was not received because the window was full. */
  dropped(topic: string): void {
    const route = routeOf(this.#options.decoders, topic);
    this.#options.metrics.dropped(route?.decoder.name ?? 'none');
    route?.decoder.decode.missed?.(route);
  }

  /** The broker repeated a message that was received before; its readings are not stored again. */
  repeated(topic: string): void {
    const decoder = findDecoder(this.#options.decoders, topic);
    this.#options.metrics.repeated(decoder?.name ?? 'none');
  }

  #throwIfClosing(error: unknown): void {
    if (error instanceof WriterClosed || this.#options.signal.aborted) throw error;
  }
}
