import { setTimeout as sleep } from 'node:timers/promises';
import { WriterClosed } from '@engawa/table';
import { deadLetterOfMessage, minimalDeadLetter } from './dead-letter-of-message.ts';
import { DeadLetterWriter } from './dead-letter-writer.ts';
import { RedeliveredDeadLetters } from './redelivered-dead-letters.ts';
import { UniqueParts } from './unique-parts.ts';
import type { DeadLetter } from '@engawa/model';
import type { BatchWriter, PutOptions, Table } from '@engawa/table';
import type { Message } from '@engawa/mqtt';
import type { Span } from '@opentelemetry/api';
import type { DeadLetterMetrics } from './dead-letter-metrics.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { Refusal } from '../refusals/refusal.ts';

export interface DeadLetterStoreOptions extends RetryOptions {
  writer: BatchWriter;
  table: Table;
  metrics: Pick<DeadLetterMetrics, 'kept'>;
}

/** Milliseconds until a dead letter that the table refused even in its smallest form is tried again. */
const refusedRetryMs = 10_000;

/** Keeps messages that cannot become readings, whole, so that nothing acknowledged is lost. */
export class DeadLetterStore {
  readonly #options: DeadLetterStoreOptions;
  readonly #deadLetters: DeadLetterWriter;
  readonly #redelivered: RedeliveredDeadLetters;
  readonly #uniqueParts = new UniqueParts();
  /** Of dead letters that cannot be stored at all, by their ids: why. */
  readonly #refused = new Map<string, string>();

  constructor(options: DeadLetterStoreOptions) {
    this.#options = options;
    this.#deadLetters = new DeadLetterWriter(options.writer);
    this.#redelivered = new RedeliveredDeadLetters(options);
  }

  /** Why messages cannot be kept, or undefined. */
  missing(): string | undefined {
    const [why] = this.#refused.values();
    const others = this.#refused.size > 1 ? ` (and ${this.#refused.size - 1} more)` : '';
    return why && `${why}${others}`;
  }

  /**
   * Resolves once the message is durable, with all that is wrong with it: as a dead letter of its own, unless MQTT says that
   * it is a delivery which is kept already. Rejects only when closing begins.
   */
  async keep(message: Message & { span?: Span }, refusals: readonly Refusal[]): Promise<void> {
    const { receivedAt, duplicate, messageId, span } = message;
    const deadLetter = deadLetterOfMessage(message, refusals, this.#uniqueParts.next(receivedAt));
    if (duplicate && messageId !== undefined && (await this.#isKept(deadLetter))) return;
    await this.#write(deadLetter, { origins: span && [span.spanContext()] });
    this.#options.metrics.kept(deadLetter.reason);
  }

  /** Where it cannot be told, the message is kept: a dead letter too many is better than one too few. */
  async #isKept(deadLetter: DeadLetter): Promise<boolean> {
    try {
      return await this.#redelivered.isKept(deadLetter);
    } catch (error) {
      if (this.#isClosing(error)) throw error;
      this.#options.log.warn(
        { err: error },
        'finding the dead letter of a redelivered message failed',
      );
      return false;
    }
  }

  /** What the table refuses is written without everything that a sender or an error has put into it. */
  async #write(deadLetter: DeadLetter, origins: Pick<PutOptions, 'origins'>): Promise<void> {
    try {
      await this.#deadLetters.write(deadLetter, origins);
      return;
    } catch (error) {
      if (this.#isClosing(error)) throw error;
      const { id, topic } = deadLetter;
      this.#options.log.error(
        { err: error, id, topic },
        'dead letter was rejected by the table; retrying with a shorter one',
      );
    }
    await this.#writeMinimal(minimalDeadLetter(deadLetter), origins);
  }

  /** Until the table takes it: nothing is acknowledged that is not durable (docs/adr/0034). */
  async #writeMinimal(deadLetter: DeadLetter, origins: Pick<PutOptions, 'origins'>): Promise<void> {
    const { id, topic, payload } = deadLetter;
    const { log, signal } = this.#options;
    for (;;) {
      try {
        await this.#deadLetters.write(deadLetter, origins);
        this.#refused.delete(id);
        return;
      } catch (error) {
        if (this.#isClosing(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        const which = `a message of topic ${JSON.stringify(topic.slice(0, 128))} (${payload.length} bytes)`;
        this.#refused.set(
          id,
          `the table refuses ${which} as readings and as a dead letter, so it stays unacknowledged: ${why}`,
        );
        log.error({ err: error, id, topic }, 'dead letter: storing failed; retrying');
      }
      await sleep(refusedRetryMs, undefined, { signal });
    }
  }

  #isClosing(error: unknown): boolean {
    return error instanceof WriterClosed || this.#options.signal.aborted;
  }
}
