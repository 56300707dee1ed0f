/** Lets one at a time hold each name; several names are taken together, so that nobody waits in a circle. */
export class Locks {
  readonly #last = new Map<string, Promise<void>>();

  async holding<Result>(names: readonly string[], run: () => Promise<Result>): Promise<Result> {
    const before = names.flatMap((name) => this.#last.get(name) ?? []);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    for (const name of names) this.#last.set(name, promise);
    await Promise.all(before);
    try {
      return await run();
    } finally {
      resolve(undefined);
    }
  }
}
