import { nameOf } from './sizes.ts';
import type { Finding } from '../report.ts';
import type { SizeCosts } from './measure-size.ts';
import type { ServiceUsage } from './measured-service.ts';
import type { Size } from './sizes.ts';

export interface MeasuredSize {
  size: Size;
  costs: SizeCosts;
}

/** Maximum additional requests or units per request of the largest table: reads of cached items depend on the time. */
const tolerance = 0.1;

/** The start of ingestion reads the device list, so only this pattern depends on the number of devices. */
const growing = ['start of ingestion'];

/** The requests and units of each access pattern in the smallest and the largest table. */
export function findingsOf(sizes: readonly MeasuredSize[]): Finding[] {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined) return [];
  return [...smallest.costs].flatMap(([name, small]) => {
    const large = largest.costs.get(name);
    if (large === undefined || growing.includes(name)) return [];
    const reached = totalOf(large) - totalOf(small) <= tolerance;
    const finding = { what: name, measured: describe(large), baseline: describe(small) };
    const ratio = (large.cpu / small.cpu).toFixed(2);
    return [{ ...finding, ratio: `CPU ${ratio}`, target: 'the same', reached }];
  });
}

function totalOf({ requests, readUnits, writeUnits }: ServiceUsage): number {
  return requests + readUnits + writeUnits;
}

function describe({ requests, readUnits, writeUnits }: ServiceUsage): string {
  const digits = (value: number) => value.toFixed(2);
  return `${digits(requests)} requests, ${digits(readUnits)} + ${digits(writeUnits)} units`;
}

/** A row per access pattern and size. */
export function rowsOf(sizes: readonly MeasuredSize[]): string[][] {
  const names = [...(sizes[0]?.costs.keys() ?? [])];
  return names.flatMap((name) =>
    sizes.flatMap(({ size, costs }) => {
      const usage = costs.get(name);
      if (usage === undefined) return [];
      const { requests, readUnits, writeUnits, cpu, peakMemory } = usage;
      const counts = [requests, readUnits, writeUnits].map((value) => value.toFixed(2));
      return [[name, nameOf(size), ...counts, cpu.toFixed(0), (peakMemory / 1e6).toFixed(0)]];
    }),
  );
}
