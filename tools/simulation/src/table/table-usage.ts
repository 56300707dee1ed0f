import type { Charge } from '@engawa/dynamodb-simulator/rules';

export interface OperationUsage {
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/** Requests and consumed units by operation. */
export class TableUsage {
  readonly #operations = new Map<string, OperationUsage>();
  readonly #told = new Map<string, number>();

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

  /**
   * Notes the units that a response reports. DynamoDB does not report the units of a write whose
   * condition fails, although it consumes them.
   */
  note(operation: string, charges: readonly Charge[]): void {
    for (const { target, unit, units } of charges) {
      const what = `${operation} ${target} ${unit}`;
      this.#told.set(what, (this.#told.get(what) ?? 0) + units);
    }
  }

  /** Units that responses have reported, by operation, table or index, and kind, such as `Query gsi1 read`. */
  get reportedUnits(): Map<string, number> {
    return new Map(this.#told);
  }

  /** A snapshot of the current usage. */
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
