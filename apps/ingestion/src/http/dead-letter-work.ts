import { Problem } from '@engawa/errors';
import { uploadWeight } from '../intake/memory-weight.ts';
import { refusalOf } from '../refusals/refusal.ts';
import { whyRefused } from '../refusals/why-refused.ts';
import type { DeadLetter } from '@engawa/model';
import type { Semaphore } from '../concurrency/semaphore.ts';
import type { DeadLetters, FoundDeadLetter } from '../dead-letters/dead-letters.ts';
import type { DeadLetterPreview } from '../intake/preview-dead-letter.ts';
import type { MemoryShare } from '../intake/memory-budget.ts';
import type { DeadLetterMetrics } from '../dead-letters/dead-letter-metrics.ts';
import type { RefusalCode, RefusalValues } from '../refusals/refusal-texts.ts';
import type { IngestResult } from '../refusals/refusal.ts';
import type { TableTimeout } from './table-timeout.ts';

export interface DeadLetterWorkOptions {
  deadLetters: DeadLetters;
  /** Stores the readings of a dead letter again. @throws Problem until the service can store readings */
  replay: (deadLetter: DeadLetter) => Promise<IngestResult>;
  /** What `replay` would do. */
  preview: (deadLetter: DeadLetter) => Promise<DeadLetterPreview>;
  readingSlots: Semaphore;
  memory: MemoryShare;
  metrics: DeadLetterMetrics;
  /** Maximum payload in bytes of a dead letter that is replayed. */
  maxReplayBytes: number;
}

/** Replays and discards dead letters. */
export class DeadLetterWork {
  readonly #options: DeadLetterWorkOptions;

  constructor(options: DeadLetterWorkOptions) {
    this.#options = options;
  }

  /**
   * Sends a dead letter through the pipeline again. Removes it when everything in it is stored; otherwise updates its
   * reason. A replay that is interrupted before the removal can be repeated.
   * @returns undefined if another request has removed it meanwhile, and counts it
   */
  async replay(
    found: FoundDeadLetter,
    timeout: TableTimeout,
    signal: AbortSignal,
  ): Promise<IngestResult | undefined> {
    return this.#limited(found, timeout, () => this.#replay(found, signal));
  }

  /** The outcome of a replay, with the same limits; writes nothing. Undefined as in `replay`. */
  async preview(
    found: FoundDeadLetter,
    timeout: TableTimeout,
    signal: AbortSignal,
  ): Promise<DeadLetterPreview | undefined> {
    const { deadLetters, preview } = this.#options;
    const result = await this.#limited(found, timeout, async () => {
      const deadLetter = await deadLetters.whole(found, signal);
      return deadLetter === 'incomplete' ? isIncomplete() : deadLetter && preview(deadLetter);
    });
    return result === undefined || 'readings' in result ? result : { ...result, readings: [] };
  }

  async #limited<Result extends IngestResult>(
    { head: { bytes } }: FoundDeadLetter,
    timeout: TableTimeout,
    work: () => Promise<Result | undefined>,
  ): Promise<Result | IngestResult | undefined> {
    const { maxReplayBytes } = this.#options;
    if (bytes > maxReplayBytes) {
      return refused('dead-letter-too-large', { bytes, max: maxReplayBytes });
    }
    const release = await this.#acquire(bytes, timeout);
    return timeout.wait(work().catch(asProblem).finally(release));
  }

  async #replay(found: FoundDeadLetter, signal: AbortSignal): Promise<IngestResult | undefined> {
    const { deadLetters, replay } = this.#options;
    const deadLetter = await deadLetters.whole(found, signal);
    if (deadLetter === undefined) return undefined;
    if (deadLetter === 'incomplete') return isIncomplete();
    const result = await replay(deadLetter);
    const isFirst =
      result.refusals.length === 0
        ? await this.#end(found, 'replay')
        : await deadLetters.update(found, whyRefused(result.refusals, deadLetter));
    return isFirst ? result : undefined;
  }

  /** The number of readings is not known yet, but a reading needs more than ten bytes. */
  async #acquire(bytes: number, timeout: TableTimeout): Promise<() => void> {
    const { readingSlots, memory } = this.#options;
    const claim = await timeout.acquire(memory, uploadWeight(bytes));
    try {
      const release = await timeout.acquire(readingSlots, Math.ceil(bytes / 10));
      return () => {
        release();
        claim.release();
      };
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  /** @returns whether this call discarded it: if not, another request has removed it meanwhile, and counts it */
  discard(found: FoundDeadLetter): Promise<boolean> {
    return this.#end(found, 'discard');
  }

  async #end(found: FoundDeadLetter, by: 'replay' | 'discard'): Promise<boolean> {
    const isRemoved = await this.#options.deadLetters.remove(found);
    if (isRemoved) this.#options.metrics.ended(by);
    return isRemoved;
  }
}

/** The dead letter remains unchanged. */
function refused(code: RefusalCode, values: RefusalValues = {}): IngestResult {
  return { stored: 0, refusals: [refusalOf(code, values)] };
}

function isIncomplete(): IngestResult {
  return refused('dead-letter-incomplete');
}

/** Errors of the table are problems already; any other error means that the service closes. */
function asProblem(error: unknown): never {
  if (error instanceof Problem) throw error;
  const detail = 'The service is closing. The dead letter is still there.';
  throw new Problem('service-closing', detail, { cause: error });
}
