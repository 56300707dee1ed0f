import { KeyThrottled } from '../errors/write-errors.ts';
import type { PendingPut, PutCaller } from './pending-put.ts';

/** The pending puts of one key, in the order of their calls: `superseded`, `current`, `waiting`. */
interface Puts {
  /** Older than `current`, which overwrites them: durable with it, and sent only if `current` is rejected. */
  superseded: readonly PendingPut[];
  /** The only put that is sent: DynamoDB rejects a batch with two items of one key. */
  current: PendingPut;
  /** Called after `current` was sent; the newest is sent next and supersedes the others. */
  waiting: readonly PendingPut[];
}

const none: readonly PendingPut[] = [];

/**
 * All puts that are not durable. A put overwrites the whole item, so only the newest waiting put of a key is sent. Each
 * method that returns a put returns the next one to send for that key, if there is one.
 */
export class PendingPuts {
  readonly #puts = new Map<string, Puts>();
  #size = 0;
  #emptied: PromiseWithResolvers<void> | undefined;

  /** Number of different contents that are pending. */
  get size(): number {
    return this.#size;
  }

  /** Joins the newest put of the key if both have the same content. */
  add(put: PendingPut, caller: PutCaller): PendingPut | undefined {
    const puts = this.#puts.get(put.id);
    const newest = puts?.waiting.at(-1) ?? puts?.current;
    if (newest?.json === put.json) {
      newest.callers.push(caller);
      return undefined;
    }
    put.callers.push(caller);
    this.#size += 1;
    if (puts === undefined) {
      this.#puts.set(put.id, { superseded: none, current: put, waiting: none });
      return put;
    }
    puts.waiting = [...puts.waiting, put];
    return undefined;
  }

  /** The current put of its key is durable, and so are the puts that it superseded. */
  stored({ id }: PendingPut): PendingPut | undefined {
    const puts = this.#puts.get(id);
    if (puts === undefined) return undefined;
    const { superseded, current, waiting } = puts;
    const next = this.#continue(id, puts, waiting);
    for (const put of superseded) resolveAll(put);
    resolveAll(current);
    return next;
  }

  /** DynamoDB will never store the current put of its key; the puts that it superseded may be valid. */
  rejected({ id }: PendingPut, error: unknown): PendingPut | undefined {
    const puts = this.#puts.get(id);
    if (puts === undefined) return undefined;
    const { callers } = puts.current;
    const next = this.#continue(id, puts, [...puts.superseded, ...puts.waiting]);
    for (const caller of callers) caller.reject(error);
    return next;
  }

  /** The current put of its key is not in flight: the newest put supersedes it. */
  renewed({ id }: PendingPut): PendingPut | undefined {
    const puts = this.#puts.get(id);
    return puts && this.#continue(id, puts, allOf(puts));
  }

  /** As `renewed`, and rejects all calls with `whenThrottled: 'reject'` with KeyThrottled. */
  throttled({ id, pk }: PendingPut): PendingPut | undefined {
    const puts = this.#puts.get(id);
    if (puts === undefined) return undefined;
    const rejected: PutCaller[] = [];
    for (const put of allOf(puts)) {
      const { wait = [], reject = [] } = Object.groupBy(put.callers, (each) => each.whenThrottled);
      put.callers = wait;
      rejected.push(...reject);
    }
    const left = allOf(puts).filter(({ callers }) => callers.length > 0);
    const next = this.#continue(id, puts, left);
    for (const caller of rejected) caller.reject(new KeyThrottled(pk));
    return next;
  }

  /** Resolves when no put is pending; rejects with the error of `rejectAll`. */
  whenEmpty(): Promise<void> {
    if (this.#size === 0) return Promise.resolve();
    this.#emptied ??= Promise.withResolvers();
    return this.#emptied.promise;
  }

  /** Removes all puts and rejects their calls. */
  rejectAll(error: unknown): void {
    const puts = [...this.#puts.values()].flatMap(allOf);
    this.#puts.clear();
    this.#size = 0;
    for (const { callers } of puts) for (const caller of callers) caller.reject(error);
    this.#emptied?.reject(error);
  }

  /** The newest of `left` becomes the current put. */
  #continue(id: string, before: Puts, left: readonly PendingPut[]): PendingPut | undefined {
    this.#size -= before.superseded.length + 1 + before.waiting.length - left.length;
    const current = left.at(-1);
    if (current === undefined) this.#puts.delete(id);
    else this.#puts.set(id, { superseded: left.slice(0, -1), current, waiting: none });
    if (this.#size === 0) this.#resolveEmptied();
    return current;
  }

  #resolveEmptied(): void {
    this.#emptied?.resolve();
    this.#emptied = undefined;
  }
}

function resolveAll({ callers }: PendingPut): void {
  for (const caller of callers) caller.resolve();
}

function allOf({ superseded, current, waiting }: Puts): PendingPut[] {
  return [...superseded, current, ...waiting];
}
