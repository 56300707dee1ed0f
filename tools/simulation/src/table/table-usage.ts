import type { Charge } from './charge.ts';

export interface OperationUsage {
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/** Requests and consumed units by operation. */
export class TableUsage {
  readonly #operations = new Map<string, OperationUsage>();

  request(operation: string): void {
    this.#of(operation).requests += 1;
  }

  consumed(operation: string, charges: readonly Charge[]): void {
    const usage = this.#of(operation);
    for (const { unit, units } of charges) {
      if (unit === 'read') usage.readUnits += units;
      else usage.writeUnits += units;
    }
  }

  /** As it is now; what happens later does not change it. */
  read(): Record<string, OperationUsage> {
    return Object.fromEntries([...this.#operations].map(([name, usage]) => [name, { ...usage }]));
  }

  #of(operation: string): OperationUsage {
    let usage = this.#operations.get(operation);
    if (usage === undefined) {
      usage = { requests: 0, readUnits: 0, writeUnits: 0 };
      this.#operations.set(operation, usage);
    }
    return usage;
  }
}
