import { reasonOf } from './rules/throttling.ts';
import type { Charge } from './rules/charge.ts';
import type { Throttle } from './rules/throttling.ts';

interface KeyCount {
  table: string;
  target: string;
  unit: string;
  key: string;
  units: number;
  throttled: number;
}

/** Maximum number of keys with their own counters; further keys count only in the totals. */
const mostKeys = 100_000;

/** Counts requests, units, throttles and faults. */
export class Counters {
  #requests: Record<string, number> = {};
  #faults: Record<string, number> = {};
  #throttles: Record<string, number> = {};
  #units: Record<string, number> = {};
  readonly #keys = new Map<string, KeyCount>();

  request(operation: string): void {
    add(this.#requests, operation, 1);
  }

  fault(kind: string): void {
    add(this.#faults, kind, 1);
  }

  consumed(charges: readonly Charge[]): void {
    for (const charge of charges) {
      add(this.#units, `${charge.target} ${charge.unit}`, charge.units);
      const count = this.#keyCount(charge);
      if (count !== undefined) count.units += charge.units;
    }
  }

  throttled({ type, charge }: Throttle): void {
    if (charge === undefined) return;
    add(this.#throttles, reasonOf(charge, type), 1);
    const count = this.#keyCount(charge);
    if (count !== undefined) count.throttled += 1;
  }

  /** @param top number of keys to list, ordered by throttles, then by units */
  read(top = 20) {
    const keys = [...this.#keys.values()].sort(
      (a, b) => b.throttled - a.throttled || b.units - a.units,
    );
    return {
      requests: this.#requests,
      units: this.#units,
      throttles: this.#throttles,
      faults: this.#faults,
      keys: keys.slice(0, top),
    };
  }

  reset(): void {
    this.#requests = {};
    this.#faults = {};
    this.#throttles = {};
    this.#units = {};
    this.#keys.clear();
  }

  #keyCount({ table, target, unit, key }: Charge): KeyCount | undefined {
    if (key === undefined) return undefined;
    const name = `${table}\n${target}\n${unit}\n${key}`;
    let count = this.#keys.get(name);
    if (count === undefined && this.#keys.size < mostKeys) {
      count = { table, target, unit, key, units: 0, throttled: 0 };
      this.#keys.set(name, count);
    }
    return count;
  }
}

function add(counts: Record<string, number>, name: string, amount: number): void {
  counts[name] = (counts[name] ?? 0) + amount;
}
