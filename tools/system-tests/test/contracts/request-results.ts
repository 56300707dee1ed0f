import type { ContractOperation } from './contract-operations.ts';

/** Counts responses over all rounds. */
export class RequestResults {
  /** Number of responses by operation and status. */
  readonly #statuses = new Map<string, Map<number, number>>();
  /** Requests whose streamed response broke off at each attempt. */
  brokenOff = 0;

  count({ service, method, path }: ContractOperation, status: number): void {
    const name = `${service}: ${method} ${path}`;
    const counts = this.#statuses.get(name) ?? new Map<number, number>();
    this.#statuses.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  /** Operations without a successful response so far, with their statuses. */
  unreached(): [operation: string, statuses: ReadonlyMap<number, number>][] {
    return [...this.#statuses].filter(
      ([, counts]) => ![...counts.keys()].some((status) => status < 400),
    );
  }
}
