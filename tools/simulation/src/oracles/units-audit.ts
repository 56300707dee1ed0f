import type { System } from '../world/system.ts';

/** Capacity units by operation, index and kind, such as `Query gsi1 read`. */
export type Units = ReadonlyMap<string, number>;

interface UnitCounts {
  /** Units that the table reported in its responses. */
  taken: Units;
  /** Units that all services have counted, including ended processes. */
  counted: Units;
}

/** Milliseconds without a request of the table, after which all responses have been received and counted. */
const idleMs = 5;

/**
 * Compares the capacity units that services count (engawa_table_consumed_units_total) with the units
 * that the table reports. Services cannot count units of lost responses, so during faults they may
 * count fewer units, but never more.
 */
export class UnitsAudit {
  readonly #system: System;
  #before: UnitCounts | undefined;

  constructor(system: System) {
    this.#system = system;
  }

  /**
   * Begins a period without faults, in which both counts must be equal.
   * @returns the violations of the time before, during which services may have counted fewer units
   */
  async begin(): Promise<string[]> {
    this.#before = await this.#read();
    return countedTooMuch(this.#before);
  }

  /** @returns the differences since `begin` */
  async end(): Promise<string[]> {
    const { taken, counted } = await this.#read();
    const before = this.#before ?? { taken: new Map(), counted: new Map() };
    return countedOtherwise({
      taken: difference(taken, before.taken),
      counted: difference(counted, before.counted),
    });
  }

  async #read(): Promise<UnitCounts> {
    const { table, deployment } = this.#system;
    await untilIdle(this.#system);
    return { taken: table.usage.reportedUnits, counted: await deployment.consumedUnits() };
  }
}

/** Resolves after some milliseconds without a request of the table. */
export async function untilIdle({ endpoint, gateway, world }: System): Promise<void> {
  let idleSince = world.now();
  while (world.now() - idleSince < idleMs) {
    await gateway.sleep(1);
    if (endpoint.underWay > 0) idleSince = world.now();
  }
}

export function countedTooMuch({ taken, counted }: UnitCounts): string[] {
  return [...counted].flatMap(([what, units]) => {
    const most = taken.get(what) ?? 0;
    return units > most ? [`services count ${units} units of ${what}, which took ${most}`] : [];
  });
}

export function countedOtherwise({ taken, counted }: UnitCounts): string[] {
  return [...new Set([...taken.keys(), ...counted.keys()])].flatMap((what) => {
    const [here, there] = [counted.get(what) ?? 0, taken.get(what) ?? 0];
    return here === there ? [] : [`services count ${here} units of ${what}, which took ${there}`];
  });
}

function difference(after: Units, before: Units): Units {
  return new Map([...after].map(([what, units]) => [what, units - (before.get(what) ?? 0)]));
}
