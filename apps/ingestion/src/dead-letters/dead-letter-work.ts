import { Problem } from '@engawa/errors';
import { whyRefused } from '../refusal.ts';
import type { Budget } from '../budget.ts';
import type { DeadLetters, FoundLetter } from './dead-letters.ts';
import type { IngestionMetrics } from '../metrics.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Verdict } from '../refusal.ts';
import type { TablePatience } from '../table-patience.ts';

export interface DeadLetterWorkOptions {
  letters: DeadLetters;
  /** @throws Problem while there is none yet */
  pipeline: () => Pipeline;
  budget: Budget;
  metrics: IngestionMetrics;
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
  async replay(found: FoundLetter, patience: TablePatience): Promise<Verdict> {
    const { budget, letters, pipeline } = this.#options;
    // How many readings are in it is not known yet, but one takes more than ten bytes.
    const release = await patience.acquire(budget, Math.ceil(found.letter.payload.length / 10));
    const work = async () => {
      const verdict = await pipeline().replay(found.letter);
      if (verdict.refusals.length > 0) await letters.update(found, whyRefused(verdict.refusals));
      else await this.#end(found, 'replay');
      return verdict;
    };
    return patience.wait(work().catch(asProblem).finally(release));
  }

  async discard(found: FoundLetter): Promise<void> {
    await this.#end(found, 'discard');
  }

  async #end(found: FoundLetter, by: 'replay' | 'discard'): Promise<void> {
    await this.#options.letters.remove(found);
    this.#options.metrics.deadLetterEnded(by);
  }
}

/** The table's own problems are such already; anything else is that the service ends. */
function asProblem(error: unknown): never {
  if (error instanceof Problem) throw error;
  const detail = 'The service is closing. The letter is still there.';
  throw new Problem('table-unavailable', detail, { cause: error });
}
