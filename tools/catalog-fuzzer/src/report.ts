import { inOneLine } from './client.ts';
import type { HttpResponse, Request } from './client.ts';

/** Inconsistencies that are printed in detail. */
const maxShown = 50;
/** Requests that are kept, to be printed with an inconsistency. */
const keptRequests = 50_000;
/** Printed requests per inconsistency: the last ones that name its entity. */
const toldRequests = 60;
/** An entity's name in inconsistencies and requests. */
const entityName = /(?:artist|track)-\d+-\d+/g;

/** Counts requests and inconsistencies. */
export class Report {
  readonly counts = new Map<string, number>();
  readonly #print: (line: string) => void;
  readonly #requests: string[] = [];
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
    if (this.#inconsistencies > maxShown) return;
    this.#print(`INCONSISTENT ${what}`);
    const names = namesIn(what);
    const requests = this.#requests.filter((line) => names.some((name) => line.includes(name)));
    for (const line of requests.slice(-toldRequests)) this.#print(`  ${line}`);
  }

  /** Counts an outcome, and keeps request and response. */
  sent(request: Request, answer: HttpResponse): void {
    this.count(`${request.method} ${answer.code}`);
    this.#requests.push(inOneLine(request, answer));
    if (this.#requests.length > keptRequests) this.#requests.splice(0, keptRequests / 2);
  }

  /** Prints details of an inconsistency. */
  evidence(line: string): void {
    if (this.#inconsistencies <= maxShown) this.#print(`  ${line}`);
  }

  /** Such as `PUT taken 812, PUT no-answer 3`. */
  summary(): string {
    return [...this.counts]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([what, count]) => `${what} ${count}`)
      .join(', ');
  }
}

/** The entities that a text names. */
export function namesIn(text: string): string[] {
  return [...new Set(text.match(entityName))];
}
