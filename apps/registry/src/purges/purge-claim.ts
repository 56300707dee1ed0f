import { randomUUID } from 'node:crypto';
import {
  allOf,
  claimMs,
  ConditionFailed,
  equal,
  isClaimable,
  isClaimedBy,
  newClaim,
} from '@engawa/table';
import type { Table } from '@engawa/table';
import type { PurgeJob } from './purge-job.ts';

/** Another replica has claimed the purge job, since this one was too slow. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/**
 * The exclusive claim of this replica on a purge job. A second worker could delete items of the
 * next resource of the same id, after the first one has ended the job.
 */
export class PurgeClaim {
  readonly #table: Table;
  readonly #job: PurgeJob;
  readonly #by = randomUUID();
  /** Monotonic milliseconds. */
  #claimedAt = -Infinity;

  private constructor(table: Table, job: PurgeJob) {
    this.#table = table;
    this.#job = job;
  }

  /** One UpdateItem. Undefined where another replica has the claim, or the purge job has ended. */
  static async take(table: Table, job: PurgeJob): Promise<PurgeClaim | undefined> {
    const claim = new PurgeClaim(table, job);
    return (await claim.#write(isClaimable(claim.#by, Date.now()))) ? claim : undefined;
  }

  /**
   * Call it before each step, which must take less than half of `claimMs`. Renews the claim after a
   * quarter of its time, by one UpdateItem.
   * @throws ClaimLost
   */
  async keep(): Promise<void> {
    if (performance.now() < this.#claimedAt + claimMs / 4) return;
    if (!(await this.#write(isClaimedBy(this.#by)))) throw new ClaimLost();
  }

  /** Lets another replica claim the job at once. */
  async release(): Promise<void> {
    const { key } = this.#job;
    try {
      await this.#table.update(key, { remove: ['claim'], onlyIf: isClaimedBy(this.#by) });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  async #write(isFree: ReturnType<typeof isClaimedBy>): Promise<boolean> {
    const { key, deletion } = this.#job;
    const claimedAt = performance.now();
    try {
      await this.#table.update(key, {
        set: { claim: newClaim(this.#by, Date.now()) },
        onlyIf: allOf(equal('deletion', deletion), isFree),
      });
      this.#claimedAt = claimedAt;
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}
