/** A bounded set of names; the name that was added first is forgotten first. */
export class KnownNames {
  readonly #names = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  add(name: string): void {
    if (this.#names.has(name)) return;
    const [oldest] = this.#names;
    if (this.#names.size >= this.#max && oldest !== undefined) this.#names.delete(oldest);
    this.#names.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }
}
