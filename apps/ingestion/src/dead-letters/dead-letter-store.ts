import { setTimeout as sleep } from 'node:timers/promises';
import { WriterClosed } from '@engawa/table';
import { deadLetterOfMessage, minimalDeadLetter } from './dead-letter-of-message.ts';
import { DeadLetterWriter } from './dead-letter-writer.ts';
import { RedeliveredDeadLetters } from './redelivered-dead-letters.ts';
import { UniqueParts } from './unique-parts.ts';
import type { DeadLetter } from '@engawa/model';
import type { BatchWriter, Table } from '@engawa/table';
import type { Message } from '@engawa/mqtt';
import type { Span } from '@opentelemetry/api';
import type { DeadLetterMetrics } from './dead-letter-metrics.ts';
import type { NewDeadLetter } from './dead-letter-of-message.ts';
import type { WriteOptions } from './dead-letter-writer.ts';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { Refusal } from '../refusals/refusal.ts';

export interface DeadLetterStoreOptions extends RetryOptions {
  writer: BatchWriter;
  table: Table;
  metrics: Pick<DeadLetterMetrics, 'stored'>;
}

/** Milliseconds until the next attempt to write a dead letter that the table rejects even in its smallest form. */
const refusedRetryMs = 10_000;

/** Stores messages that cannot become readings as dead letters, whole, so that nothing acknowledged is lost. */
export class DeadLetterStore {
  readonly #options: DeadLetterStoreOptions;
  readonly #deadLetters: DeadLetterWriter;
  readonly #redelivered: RedeliveredDeadLetters;
  readonly #uniqueParts = new UniqueParts();
  /** The reasons of dead letters that cannot be stored at all, by id. */
  readonly #refused = new Map<string, string>();

  constructor(options: DeadLetterStoreOptions) {
    this.#options = options;
    this.#deadLetters = new DeadLetterWriter(options.writer);
    this.#redelivered = new RedeliveredDeadLetters(options);
  }

  /** The reason why dead letters cannot be stored; undefined if they can be stored. */
  missing(): string | undefined {
    const [why] = this.#refused.values();
    const others = this.#refused.size > 1 ? ` (and ${this.#refused.size - 1} more)` : '';
    return why && `${why}${others}`;
  }

  /**
   * Resolves once the message is durable, with its refusals, as a dead letter of its own, unless MQTT marks it as a
   * repeated delivery that is stored already. Rejects only when closing begins.
   */
  async store(
    message: Message & { traceSpan?: Span },
    refusals: readonly Refusal[],
  ): Promise<void> {
    const { receivedAt, duplicate, messageId, traceSpan } = message;
    const made = deadLetterOfMessage(message, refusals, this.#uniqueParts.next(receivedAt));
    // Without a packet identifier (QoS 0) a message is never delivered again.
    const isRepeatable = messageId !== undefined;
    if (duplicate && isRepeatable && (await this.#isStored(made))) return;
    const { deadLetter, delivery } = made;
    await this.#write(deadLetter, {
      ...(isRepeatable && { delivery }),
      origins: traceSpan && [traceSpan.spanContext()],
    });
    this.#options.metrics.stored(deadLetter.reason);
  }

  /** If the lookup fails, the message is stored: a duplicate dead letter is better than a missing one. */
  async #isStored(made: NewDeadLetter): Promise<boolean> {
    try {
      return await this.#redelivered.isStored(made);
    } catch (error) {
      if (this.#isClosing(error)) throw error;
      this.#options.log.warn(
        { err: error },
        'finding the dead letter of a redelivered message failed: storing it, perhaps twice',
      );
      return false;
    }
  }

  /**
   * A dead letter that the table rejects is written without properties of the sender and without the error's detail.
   */
  async #write(deadLetter: DeadLetter, options: WriteOptions): Promise<void> {
    try {
      await this.#deadLetters.write(deadLetter, options);
      return;
    } catch (error) {
      if (this.#isClosing(error)) throw error;
      const { id, topic } = deadLetter;
      this.#options.log.error(
        { err: error, id, topic },
        'dead letter was rejected by the table; retrying with a shorter one',
      );
    }
    await this.#writeMinimal(minimalDeadLetter(deadLetter), { origins: options.origins });
  }

  /** Retries until the table accepts it: nothing is acknowledged that is not durable (docs/adr/0034). */
  async #writeMinimal(deadLetter: DeadLetter, options: WriteOptions): Promise<void> {
    const { id, topic, payload } = deadLetter;
    const { log, signal } = this.#options;
    for (;;) {
      try {
        await this.#deadLetters.write(deadLetter, options);
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
