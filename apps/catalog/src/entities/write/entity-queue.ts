import type { Key } from '@engawa/keys';

/**
 * Serializes operations of this replica on the same items, in the order of arrival. DynamoDB rejects a transaction, or
 * a single write, of an item that another transaction is writing or checking (docs/adr/0062); within a replica they
 * wait instead.
 */
export class EntityQueue {
  /** By item, the end of the last queued operation. */
  readonly #ends = new Map<string, Promise<unknown>>();

  /** Runs the work alone on these items. Deadlock: the work must not wait for other work on the same items. */
  exclusive<Result>(keys: readonly Key[], work: () => Promise<Result>): Promise<Result> {
    const names = [...new Set(keys.map(({ pk, sk }) => `${pk}\n${sk}`))];
    const before = names.flatMap((name) => this.#ends.get(name) ?? []);
    const done = Promise.all(before).then(work);
    const end = done.then(
      () => undefined,
      () => undefined,
    );
    for (const name of names) this.#ends.set(name, end);
    void end.then(() => {
      for (const name of names) if (this.#ends.get(name) === end) this.#ends.delete(name);
    });
    return done;
  }

  /** Items with a running or waiting operation. */
  get size(): number {
    return this.#ends.size;
  }
}
