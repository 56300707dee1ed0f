/** Prints each step with its duration. */
export class Steps {
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  async run<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    this.#print(`${what} …`);
    const before = performance.now();
    const result = await work();
    this.#print(`  done after ${((performance.now() - before) / 1000).toFixed(1)} s`);
    return result;
  }
}
