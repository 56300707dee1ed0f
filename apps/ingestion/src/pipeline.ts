import { BrokerStall, quietMs } from './broker-stall.ts';
import { decodeMessage, findDecoder } from './decode-message.ts';
import { Interrupted } from './decoders/decoder.ts';
import { Rejection } from './rejection.ts';
import { toInternalRefusal, toRefusal } from './refusal.ts';
import { WriterClosed } from '@engawa/table';
import type { DeadLetter } from '@engawa/model';
import type { Message } from '@engawa/mqtt';
import type { Logger } from 'pino';
import type { DeadLetterStore } from './dead-letters/dead-letter-store.ts';
import type { Receipt } from './decode-message.ts';
import type { Decoded, Decoder, Draft } from './decoders/decoder.ts';
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
    const { receivedAt, indexes } = letter;
    const decoded = await decode(decoder, letter, { receivedAt, replayed: indexes ?? [] });
    if ('refusals' in decoded) return decoded;
    const drafts = meantOf(decoded.drafts, indexes);
    return this.#store({ ...decoded, drafts, gathered: true }, receivedAt);
  }

  async #settle(message: Message, decoder: Decoder | undefined): Promise<MessageOutcome> {
    const decoding = decode(decoder, message, { receivedAt: message.receivedAt });
    const decoded = decoding instanceof Promise ? await decoding : decoding;
    if (message.isCopy === true) return this.#remember(message, decoded);
    if ('drafts' in decoded && decoded.drafts.length === 0) return 'ignored';
    const { refusals } = 'refusals' in decoded ? decoded : await this.#take(message, decoded);
    if (refusals.length === 0) return 'stored';
    await this.#options.deadLetters.keep(message, refusals);
    return 'dead_lettered';
  }

  /** Another member of the group stores the readings of a copy, or this one does with the message itself. */
  async #remember(message: Message, decoded: Attempt): Promise<MessageOutcome> {
    const { remembered } = 'drafts' in decoded ? decoded : {};
    await remembered?.catch((error: unknown) => this.#throwIfClosing(error, message));
    return 'ignored';
  }

  /** An error that nobody foresaw refuses the message: left unacknowledged it would stop all that come behind it. */
  async #take(message: Message, decoded: Decoded): Promise<Pick<Verdict, 'refusals'>> {
    try {
      return await this.#store(decoded, message.receivedAt);
    } catch (error) {
      this.#throwIfClosing(error, message);
      return { refusals: [toInternalRefusal(error)] };
    }
  }

  #throwIfClosing(error: unknown, { topic }: Message): void {
    if (error instanceof WriterClosed || this.#options.signal.aborted) throw error;
    this.#options.log.error({ err: error, topic }, 'an unexpected error refuses a message');
  }

  /** @returns what became of its readings, by the indexes that dead letters name them by */
  async #store(
    { device, drafts, gathered, others = [], remembered }: Decoded,
    receivedAt: number,
  ): Promise<Verdict> {
    const taken = this.#options.intake.take({ device, drafts, gathered, receivedAt });
    if (others.length === 0 && remembered === undefined) return named(await taken, drafts);
    const beside = Promise.all(others.map((other) => this.#store(other, receivedAt)));
    const [own, ofOthers] = await Promise.all([taken, beside, remembered]);
    const { stored, refusals } = named(own, drafts);
    // The letter names readings of the message; those that follow from it are stored when all of it is replayed.
    const more = ofOthers.flatMap((verdict) => verdict.refusals.map(withoutIndex));
    return { stored, refusals: [...refusals, ...more] };
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

type Attempt = Decoded | { stored: 0; refusals: Refusal[] };

/** @throws Interrupted, as a promise, when the service closes first */
function decode(
  decoder: Decoder | undefined,
  { topic, payload }: { topic: string; payload: Uint8Array },
  receipt: Receipt,
): Attempt | Promise<Attempt> {
  try {
    if (decoder === undefined) throw new Rejection('no_decoder', 'no decoder takes this topic');
    const decoded = decodeMessage(decoder, topic, payload, receipt);
    return decoded instanceof Promise ? decoded.catch(refused) : decoded;
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): { stored: 0; refusals: Refusal[] } {
  if (error instanceof Interrupted) throw error;
  return { stored: 0, refusals: [toRefusal(error)] };
}

/** The drafts that a dead letter is about. */
function meantOf(drafts: readonly Draft[], indexes: readonly number[] = []): Draft[] {
  const meant = new Set(indexes);
  const indexed = drafts.map((draft, place) => ({ ...draft, index: draft.index ?? place }));
  const chosen = indexed.filter(
    ({ index, within = index }) => meant.has(index) || meant.has(within),
  );
  const found = new Set(chosen.flatMap(({ index, within = index }) => [index, within]));
  // By other indexes than these a decoder that has changed since may know the readings; then all are meant.
  return meant.size > 0 && indexes.every((index) => found.has(index)) ? chosen : indexed;
}

/** The refusals by the indexes that dead letters name drafts by. */
function named({ stored, refusals }: Verdict, drafts: readonly Draft[]): Verdict {
  const byIndex = refusals.map(({ index, ...refusal }) =>
    index === undefined ? refusal : { ...refusal, index: drafts[index]?.index ?? index },
  );
  return { stored, refusals: byIndex };
}

function withoutIndex({ reason, detail }: Refusal): Refusal {
  return { reason, detail };
}
