/** Inconsistencies that are told one by one. */
const mostShown = 50;

/** Counts what happened, and keeps what is wrong. */
export class Report {
  readonly counts = new Map<string, number>();
  readonly #print: (line: string) => void;
  #inconsistencies = 0;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  get inconsistencies(): number {
    return this.#inconsistencies;
  }

  count(what: string, number = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + number);
  }

  inconsistency(what: string): void {
    this.#inconsistencies += 1;
    if (this.#inconsistencies <= mostShown) this.#print(`INCONSISTENT ${what}`);
  }

  /** Such as `PUT taken 812, PUT no-answer 3`. */
  summary(): string {
    return [...this.counts]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([what, count]) => `${what} ${count}`)
      .join(', ');
  }
}
