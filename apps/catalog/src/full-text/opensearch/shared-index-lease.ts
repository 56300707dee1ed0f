import { randomUUID } from 'node:crypto';
import { catalogTaskKey } from '@engawa/keys';
import { absent, anyOf, ConditionFailed, equal, less } from '@engawa/table';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { IndexState, IndexLease, LeaseState } from '../index-lease.ts';

export const indexLeaseKind = 'TEXT-INDEX';

export interface SharedIndexLeaseOptions {
  table: Table;
  /** Identifies the index: host and port, and the prefix. */
  location: string;
  /** Milliseconds between two polls of the table. */
  intervalMs: number;
}

/**
 * Polls that a replica may miss before it loses the lease; and the minimum duration of a lease, for
 * clock differences.
 */
const maxMissedPolls = 5;
const minLeaseMs = 15_000;

/**
 * The lease of an index that all replicas share: an item of the table has its holder, and the time up to which the
 * index is complete. Two holders at the same time do no harm: the index rejects changes older than its own.
 */
export class SharedIndexLease implements IndexLease {
  readonly #table: Table;
  readonly #key: Key;
  readonly #leaseMs: number;
  readonly #replica = randomUUID();
  #until = 0;
  /** Only the holder changes the state. */
  #state: Partial<IndexState> = {};

  constructor({ table, location, intervalMs }: SharedIndexLeaseOptions) {
    this.#table = table;
    this.#key = catalogTaskKey(indexLeaseKind, location);
    this.#leaseMs = Math.max(minLeaseMs, maxMissedPolls * intervalMs);
  }

  async acquire(signal: AbortSignal): Promise<LeaseState> {
    if (this.#until > Date.now()) return { isHeld: true, ...this.#state };
    const item = await this.#table.get(this.#key, { signal });
    if (item !== undefined && Number(item['until']) > Date.now() && item['by'] !== this.#replica) {
      return { isHeld: false, ...stateOf(item) };
    }
    const until = Date.now() + this.#leaseMs;
    const isFree = anyOf(absent('until'), less('until', Date.now()), equal('by', this.#replica));
    try {
      const set = { by: this.#replica, until };
      const taken = await this.#table.update(this.#key, { set, onlyIf: isFree });
      this.#until = until;
      this.#state = stateOf(taken);
      return { isHeld: true, ...this.#state };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return { isHeld: false, ...(item && stateOf(item)) };
    }
  }

  async renew(state: IndexState): Promise<void> {
    const { asOf, rebuilding } = state;
    const until = Date.now() + this.#leaseMs;
    const set = { until, rebuilding, ...(asOf !== undefined && { asOf }) };
    try {
      await this.#table.update(this.#key, { set, onlyIf: equal('by', this.#replica) });
      this.#until = until;
      this.#state = state;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // The lease expired, and another replica acquired it.
      this.#until = 0;
    }
  }

  async release(): Promise<void> {
    if (this.#until === 0) return;
    this.#until = 0;
    await this.#table.update(this.#key, { set: { until: 0 }, onlyIf: equal('by', this.#replica) });
  }
}

function stateOf({ asOf, rebuilding }: Document) {
  return {
    asOf: asOf === undefined ? undefined : Number(asOf),
    rebuilding: rebuilding === true,
  };
}
