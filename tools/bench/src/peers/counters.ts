/** Totals of the simulator's counters, by operation, and by `<target> <unit>`. */
export interface SimulatorCounters {
  requests: Readonly<Record<string, number>>;
  units: Readonly<Record<string, number>>;
}

export interface Consumption {
  requests: number;
  /** Units of the table and its indexes. */
  writeUnits: number;
  readUnits: number;
}

export async function resetCounters(simulator: string): Promise<void> {
  await fetch(`${simulator}/simulator/counters`, { method: 'DELETE' });
}

export async function readCounters(simulator: string): Promise<SimulatorCounters> {
  const response = await fetch(`${simulator}/simulator`);
  return ((await response.json()) as { counters: SimulatorCounters }).counters;
}

export function consumptionPerReading(
  { requests, units }: SimulatorCounters,
  readings: number,
): Consumption {
  const sum = (counts: Readonly<Record<string, number>>, suffix: string): number =>
    Object.entries(counts)
      .filter(([name]) => name.endsWith(suffix))
      .reduce((total, [, count]) => total + count, 0);
  return {
    requests: sum(requests, '') / readings,
    writeUnits: sum(units, ' write') / readings,
    readUnits: sum(units, ' read') / readings,
  };
}
