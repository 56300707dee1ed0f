import { leastToMost, median, spread } from '../statistics.ts';
import type { Finding } from '../report.ts';

/** Per response. */
export interface PageCost {
  what: string;
  bytes: number;
  cpuMs: number;
  readUnits: number;
}

/** Milliseconds of a small response for another client: the medians, and the longest beside large responses. */
export interface NeighbourTimes {
  quiet: number;
  beside: number;
  longest: number;
  requests: number;
}

/** Maximum median of another client beside large responses, as a multiple of its median without them. */
const target = 3;

export function sizeFindings(
  costs: readonly PageCost[],
  times: readonly NeighbourTimes[],
): Finding[] {
  const ratios = times.map(({ quiet, beside }) => beside / quiet);
  return [
    ...costs.map(({ what, bytes, cpuMs, readUnits }) => ({
      what,
      measured: `${bytes.toLocaleString('en')} bytes, ${cpuMs.toFixed(1)} ms of CPU, ${readUnits} read units`,
      baseline: '',
      ratio: '',
      target: '',
    })),
    {
      what: "another client's small response beside sixty of the first, p50 by wall clock, ms",
      measured: spread(
        times.map(({ beside }) => beside),
        2,
      ),
      baseline: spread(
        times.map(({ quiet }) => quiet),
        2,
      ),
      ratio: spread(ratios, 2),
      target: `≤ ${target}`,
      reached: median(ratios) <= target,
    },
    {
      what: 'the same, the longest, ms',
      measured: leastToMost(times.map(({ longest }) => Math.round(longest))),
      baseline: '',
      ratio: '',
      target: '',
    },
  ];
}
