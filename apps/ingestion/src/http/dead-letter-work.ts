import { Problem } from '@engawa/errors';
import { uploadWeight } from '../intake/memory-weight.ts';
import { whyRefused } from '../refusals/refusal.ts';
import type { DeadLetter } from '@engawa/model';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { DeadLetters, FoundLetter } from '../dead-letters/dead-letters.ts';
import type { MemoryShare } from '../intake/memory-budget.ts';
import type { DeadLetterMetrics } from '../dead-letters/dead-letter-metrics.ts';
import type { Verdict } from '../refusals/refusal.ts';
import type { TablePatience } from './table-patience.ts';

export interface DeadLetterWorkOptions {
  letters: DeadLetters;
  /** Stores the readings of a letter again. @throws Problem until the service can store readings */
  replay: (letter: DeadLetter) => Promise<Verdict>;
  budget: Semaphore;
  memory: MemoryShare;
  metrics: DeadLetterMetrics;
  /** Bytes of a payload that is replayed. */
  maxReplayBytes: number;
}

/** What people do about dead letters. */
export class DeadLetterWork {
  readonly #options: DeadLetterWorkOptions;

  constructor(options: DeadLetterWorkOptions) {
    this.#options = options;
  }

  /**
   * Sends the letter through the pipeline again, and takes it away when all of it is stored; else notes why it is not. Only
   * when it is stored: interrupted in between, it can be replayed again.
   */
  async replay(found: FoundLetter, patience: TablePatience, signal: AbortSignal): Promise<Verdict> {
    const { bytes } = found.head;
    const { maxReplayBytes } = this.#options;
    if (bytes > maxReplayBytes) {
      return refused(
        `the letter has ${bytes} bytes, at most ${maxReplayBytes} are replayed: fetch it in pieces and send what is in it as smaller messages`,
      );
    }
    const release = await this.#acquire(bytes, patience);
    return patience.wait(this.#replay(found, signal).catch(asProblem).finally(release));
  }

  async #replay(found: FoundLetter, signal: AbortSignal): Promise<Verdict> {
    const { letters, replay } = this.#options;
    const letter = await letters.whole(found, signal);
    if (letter === undefined) return refused('a part of the letter is missing');
    const verdict = await replay(letter);
    if (verdict.refusals.length > 0) await letters.update(found, whyRefused(verdict.refusals));
    else await this.#end(found, 'replay');
    return verdict;
  }

  /** How many readings are in it is not known yet, but one takes more than ten bytes. */
  async #acquire(bytes: number, patience: TablePatience): Promise<() => void> {
    const { budget, memory } = this.#options;
    const claim = await patience.acquire(memory, uploadWeight(bytes));
    try {
      const release = await patience.acquire(budget, Math.ceil(bytes / 10));
      return () => {
        release();
        claim.release();
      };
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  async discard(found: FoundLetter): Promise<void> {
    await this.#end(found, 'discard');
  }

  async #end(found: FoundLetter, by: 'replay' | 'discard'): Promise<void> {
    await this.#options.letters.remove(found);
    this.#options.metrics.ended(by);
  }
}

/** The letter stays as it is. */
function refused(detail: string): Verdict {
  return { stored: 0, refusals: [{ reason: 'too_large', detail }] };
}

/** The table's own problems are such already; anything else is that the service ends. */
function asProblem(error: unknown): never {
  if (error instanceof Problem) throw error;
  const detail = 'The service is closing. The letter is still there.';
  throw new Problem('table-unavailable', detail, { cause: error });
}
