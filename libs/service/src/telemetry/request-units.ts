import { AsyncLocalStorage } from 'node:async_hooks';

/** The requests of one task to DynamoDB, and the capacity units that it has reported for them. */
export class RequestUnits {
  read = 0;
  write = 0;
  /** Whether every response has reported its units: some engines report none. */
  isComplete = true;
  /** By operation and index, such as `Query gsi1`; without the index for the table. */
  readonly requests = new Map<string, number>();

  /** Counts an attempt, also one that failed. */
  requested(operation: string, index: string): void {
    const name = index === 'table' ? operation : `${operation} ${index}`;
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  add(unit: 'read' | 'write', units: number): void {
    this[unit] += units;
  }
}

const current = new AsyncLocalStorage<RequestUnits>();

/** Runs a task, such as the handling of an HTTP request: its requests to the table are counted. */
export function countingUnits<Result>(units: RequestUnits, task: () => Result): Result {
  return current.run(units, task);
}

/** The task that is running shares requests with other tasks, so its units are not known. */
export function sharesUnits(): void {
  const units = current.getStore();
  if (units !== undefined) units.isComplete = false;
}

/** The units of the task that is running; undefined outside of any. */
export function unitsOfTask(): RequestUnits | undefined {
  return current.getStore();
}
