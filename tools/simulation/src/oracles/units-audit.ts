import type { System } from '../world/system.ts';

/** Capacity units by operation, index and kind, as `Query gsi1 read`. */
export type Units = ReadonlyMap<string, number>;

interface Books {
  /** Units that the table reported in its responses. */
  taken: Units;
  /** Units that all services have counted, including ended processes. */
  counted: Units;
}

/** Milliseconds without a request of the table: every answer has arrived by then, and been counted. */
const idleMs = 5;

/**
 * Compares the capacity units that services count (engawa_table_consumed_units_total) with those
 * that the table took. A service cannot count what it got no answer for, so while things go wrong
 * it may count less, and never more.
 */
export class UnitsAudit {
  readonly #system: System;
  #before: Books | undefined;

  constructor(system: System) {
    this.#system = system;
  }

  /**
   * From now on, as long as nothing goes wrong, both are the same to the unit.
   * @returns what is wrong until now, in words
   */
  async begin(): Promise<string[]> {
    this.#before = await this.#read();
    return countedTooMuch(this.#before);
  }

  /** @returns what is wrong since the beginning, in words */
  async end(): Promise<string[]> {
    const { taken, counted } = await this.#read();
    const before = this.#before ?? { taken: new Map(), counted: new Map() };
    return countedOtherwise({
      taken: difference(taken, before.taken),
      counted: difference(counted, before.counted),
    });
  }

  async #read(): Promise<Books> {
    const { table, deployment } = this.#system;
    await untilIdle(this.#system);
    return { taken: table.usage.toldUnits, counted: await deployment.consumedUnits() };
  }
}

/** Resolves once nothing has been asked of the table for some milliseconds. */
export async function untilIdle({ endpoint, gateway, world }: System): Promise<void> {
  let idleSince = world.now();
  while (world.now() - idleSince < idleMs) {
    await gateway.sleep(1);
    if (endpoint.underWay > 0) idleSince = world.now();
  }
}

export function countedTooMuch({ taken, counted }: Books): string[] {
  return [...counted].flatMap(([what, units]) => {
    const most = taken.get(what) ?? 0;
    return units > most ? [`services count ${units} units of ${what}, which took ${most}`] : [];
  });
}

export function countedOtherwise({ taken, counted }: Books): string[] {
  return [...new Set([...taken.keys(), ...counted.keys()])].flatMap((what) => {
    const [here, there] = [counted.get(what) ?? 0, taken.get(what) ?? 0];
    return here === there ? [] : [`services count ${here} units of ${what}, which took ${there}`];
  });
}

function difference(after: Units, before: Units): Units {
  return new Map([...after].map(([what, units]) => [what, units - (before.get(what) ?? 0)]));
}
