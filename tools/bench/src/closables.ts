interface Closable {
  close(): unknown;
}

/** Started processes and servers, closed in reverse order. */
export class Closables {
  readonly #closables: Closable[] = [];

  add<Part extends Closable>(part: Part): Part {
    this.#closables.push(part);
    return part;
  }

  /** Runs `open`, which adds parts. If it fails, those that it has added are closed. */
  async opening(open: () => Promise<void>): Promise<void> {
    try {
      await open();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Runs `measure` with a part, and closes the part afterwards, unless `close` did. */
  async with<Part extends Closable, Result>(
    part: Part,
    measure: (part: Part) => Promise<Result>,
  ): Promise<Result> {
    this.add(part);
    try {
      return await measure(part);
    } finally {
      await this.#close(part);
    }
  }

  async close(): Promise<void> {
    for (const part of this.#closables.toReversed()) await this.#close(part);
  }

  async #close(part: Closable): Promise<void> {
    const index = this.#closables.indexOf(part);
    if (index === -1) return; // closed, or being closed
    this.#closables.splice(index, 1);
    await part.close();
  }
}
