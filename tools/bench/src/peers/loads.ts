import type { Portion, Workload } from '../workload.ts';

/** Readings per message, as in the options. */
export const arrayLengths = ['1', '10', '60'] as const;
export type ArrayLength = (typeof arrayLengths)[number];

export interface LoadCase {
  name: string;
  /** Readings per message. */
  readings: number;
}

export const loadCases: readonly LoadCase[] = [
  { name: 'one reading per message', readings: 1 },
  { name: 'arrays of 10', readings: 10 },
  { name: 'arrays of 60', readings: 60 },
];

export function casesOf(lengths: readonly ArrayLength[]): readonly LoadCase[] {
  return loadCases.filter(({ readings }) => lengths.some((length) => Number(length) === readings));
}

const devices = 200;
/** A reading per minute and device, by the readings' own time, which advances faster than the clock. */
const step = 60_000;

export function workloadOf({ readings }: Pick<LoadCase, 'readings'>): Workload {
  return { topic: 'engawa', prefix: 'peer', devices, readings, start: Date.now(), step };
}

/** The next messages with at least this many readings, as whole rounds of all devices. */
export function nextPortion(workload: Workload, from: number, readings: number): Portion {
  const rounds = Math.ceil(readings / (workload.devices * workload.readings));
  return { workload, from, count: rounds * workload.devices };
}

export function readingsIn({ workload, count }: Portion): number {
  return count * workload.readings;
}
