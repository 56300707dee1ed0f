import type { ContractOperation } from './contract-operations.ts';

/** What became of the requests of all rounds. */
export class RequestResults {
  /** How often each status was answered, by operation. */
  readonly #statuses = new Map<string, Map<number, number>>();
  /** Requests whose answer in rows broke off each time. */
  brokenOff = 0;

  count({ service, method, path }: ContractOperation, status: number): void {
    const name = `${service}: ${method} ${path}`;
    const counts = this.#statuses.get(name) ?? new Map<number, number>();
    this.#statuses.set(name, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  /** The operations that have only refused so far, with their statuses. */
  unreached(): [operation: string, statuses: ReadonlyMap<number, number>][] {
    return [...this.#statuses].filter(
      ([, counts]) => ![...counts.keys()].some((status) => status < 400),
    );
  }
}
