import { backoff } from '../client/backoff.ts';
import type { PendingPut } from './pending-put.ts';

/** Failures of different items of a key in a row, each alone in its request, from which the key itself is suspected. */
const failuresUntilHeld = 2;

/** Milliseconds between two attempts of isolated items: they take little from the items that can be written. */
const minPauseMs = 50;

const none: readonly PendingPut[] = [];

/** Isolated items of one partition key. */
interface IsolatedKey {
  /** The item of the next attempt first. Items after the isolated ones have not been sent alone yet. */
  puts: PendingPut[];
  isolated: Set<PendingPut>;
  /** Failed attempts in a row, for the backoff. */
  failures: number;
  /** Items that were isolated since an item of the key was last stored. */
  unstored: number;
  dueAt: number;
}

/**
 * Items that may be the cause of failed requests. A batch is halved until the item is alone. An item that fails alone
 * is isolated while others are written: it waits, and is sent alone, with backoff, one isolated item at a time. Where
 * several items of a partition key fail and none is stored, further items of the key wait as well (an IAM policy may
 * deny the key). Times are monotonic milliseconds.
 */
export class SuspectPuts {
  readonly #random: (() => number) | undefined;
  readonly #halves: PendingPut[][] = [];
  readonly #keys = new Map<string, IsolatedKey>();
  #inFlight: PendingPut | undefined;
  #pausedUntil = 0;

  constructor(random?: () => number) {
    this.#random = random;
  }

  /** When an isolated item may be sent; Infinity while one is in flight: its end calls for the next. */
  get dueAt(): number {
    if (this.#keys.size === 0 || this.#inFlight !== undefined) return Infinity;
    let dueAt = Infinity;
    for (const key of this.#keys.values()) dueAt = Math.min(dueAt, key.dueAt);
    return Math.max(dueAt, this.#pausedUntil);
  }

  halve(batch: readonly PendingPut[]): void {
    const middle = batch.length >> 1;
    this.#halves.push(batch.slice(0, middle), batch.slice(middle));
  }

  /** The next half of a failed batch. */
  takeHalf(): PendingPut[] | undefined {
    return this.#halves.shift();
  }

  /** The next isolated item; it is in flight until `failed`, `stored` or `released`. */
  takeIsolated(now: number): PendingPut | undefined {
    if (now < this.dueAt) return undefined;
    for (const [pk, key] of this.#keys) {
      if (key.dueAt > now) continue;
      // To the end of the map, so that the keys take turns.
      this.#keys.delete(pk);
      this.#keys.set(pk, key);
      this.#inFlight = key.puts.shift();
      return this.#inFlight;
    }
    return undefined;
  }

  /** Whether the item is an isolated one that is in flight. */
  isInFlight(put: PendingPut): boolean {
    return put === this.#inFlight;
  }

  /** Whether new items of this key wait here. */
  holds(pk: string): boolean {
    return (this.#keys.get(pk)?.unstored ?? 0) >= failuresUntilHeld;
  }

  /** Adds an item of a key for which `holds` is true. */
  add(put: PendingPut): void {
    this.#keys.get(put.pk)?.puts.push(put);
  }

  /** An item failed alone. */
  failed(put: PendingPut, now: number): void {
    const key = this.#keys.get(put.pk) ?? this.#open(put.pk);
    if (!key.isolated.has(put)) key.unstored += 1;
    key.isolated.add(put);
    key.puts.push(put);
    key.failures += 1;
    key.dueAt = now + backoff(key.failures, this.#random);
    if (put !== this.#inFlight) return;
    this.#inFlight = undefined;
    this.#pausedUntil = now + minPauseMs;
  }

  /**
   * An item of this key was stored: the key as a whole is not refused.
   * @returns the items that waited only because of their key
   */
  stored(put: PendingPut): readonly PendingPut[] {
    const key = this.#keys.get(put.pk);
    if (key === undefined) return none;
    key.unstored = 0;
    // The cause may have ended for all items of the key.
    if (put === this.#inFlight) Object.assign(key, { failures: 0, dueAt: 0 });
    const released = key.puts.filter((each) => !key.isolated.has(each));
    key.puts = key.puts.filter((each) => key.isolated.has(each));
    this.released(put);
    return released;
  }

  /** The item is stored, rejected, or waits elsewhere. */
  released(put: PendingPut): void {
    if (put === this.#inFlight) this.#inFlight = undefined;
    const key = this.#keys.get(put.pk);
    key?.isolated.delete(put);
    // The key of the item in flight stays: its end is recorded there.
    const isInFlight = this.#inFlight?.pk === put.pk;
    if (key?.puts.length === 0 && !isInFlight) this.#keys.delete(put.pk);
  }

  #open(pk: string): IsolatedKey {
    const key = { puts: [], isolated: new Set<PendingPut>(), failures: 0, unstored: 0, dueAt: 0 };
    this.#keys.set(pk, key);
    return key;
  }
}
