import type { Key } from '@engawa/keys';

/**
 * What this replica does to entities, in the order of arrival where two do something to the same. DynamoDB refuses a transaction
 * that writes or checks an item of another one under way, and a single write of it (docs/adr/0062): those of one replica wait
 * for each other instead.
 */
export class EntityQueue {
  /** By item, the end of the last that wants it. */
  readonly #ends = new Map<string, Promise<unknown>>();

  /** With nobody else at any of these items. Nothing may be waited for inside that waits for them. */
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

  /** Entities that something is done to, or waits for. */
  get size(): number {
    return this.#ends.size;
  }
}
