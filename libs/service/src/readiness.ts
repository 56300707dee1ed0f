/** Something that a service lacks to do its work, with a reason that a person can act on. */
export interface Missing {
  name: string;
  reason: string;
}

/** What a service needs before it can do its work: asked anew by each `/readyz`. */
export class Readiness {
  readonly #requirements = new Map<string, () => string | undefined>();

  /** `missing` tells, without waiting, why `name` is missing, or undefined while all is well. */
  require(name: string, missing: () => string | undefined): void {
    this.#requirements.set(name, missing);
  }

  /** All that is missing now, in the order of `require`; empty means ready. */
  missing(): Missing[] {
    return [...this.#requirements].flatMap(([name, missing]) => {
      const reason = missing();
      return reason === undefined ? [] : [{ name, reason }];
    });
  }
}
