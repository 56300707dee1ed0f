import { leastToMost, median, spread } from '../statistics.ts';
import type { Finding } from '../report.ts';
import type { Usage } from './query-process.ts';

/** Of one request, or the mean of several. */
export interface Cost extends Usage {
  /** By wall clock. */
  milliseconds: number;
}

export interface MonthCosts {
  first: Cost;
  /** The bare SDK reads the rollups as often as later requests do. */
  baseline: { cpu: number; milliseconds: number };
  later: Cost;
  late: Cost;
}

/** Milliseconds by wall clock. */
const target = { first: 1200, later: 30 };

/**
 * The findings for one storage format. The first device was measured with a service that had just started: it is listed
 * separately.
 */
export function monthFindings(shape: string, [cold, ...warm]: readonly MonthCosts[]): Finding[] {
  const costsOf = (moment: 'first' | 'later' | 'late') => warm.map((costs) => costs[moment]);
  const baselines = warm.map(({ baseline }) => baseline);
  const later = costsOf('later');
  const counted = 'the same: CPU, ms; requests; read units';
  const line = (moment: string) => `month, ${shape}, ${moment}, ms by the clock`;
  return [
    { what: line('first'), ...byTheClock(costsOf('first'), 0, target.first) },
    { what: counted, ...explained(costsOf('first'), 0) },
    ...(cold === undefined
      ? []
      : [
          {
            what: 'the same, with a service that has just started',
            ...byTheClock([cold.first], 0),
          },
        ]),
    {
      what: line('later'),
      ...byTheClock(later, 1, target.later),
      ...beside(later, baselines, ({ milliseconds }) => milliseconds),
    },
    {
      what: counted,
      ...explained(later, 1),
      ...beside(later, baselines, ({ cpu }) => cpu / 1000),
      target: '1 Query',
      reached: later.every(({ queries }) => queries === 1),
    },
    { what: line('after a late reading'), ...byTheClock(costsOf('late'), 1) },
    { what: counted, ...explained(costsOf('late'), 1) },
  ];
}

type Baseline = MonthCosts['baseline'];

function beside(
  costs: readonly Cost[],
  baselines: readonly Baseline[],
  of: (cost: Baseline) => number,
) {
  const values = baselines.map(of);
  const ratios = costs.map((cost, index) => of(cost) / (values[index] ?? NaN));
  return { baseline: spread(values, 1), ratio: spread(ratios, 2) };
}

function byTheClock(costs: readonly Cost[], digits: number, limit?: number): Omit<Finding, 'what'> {
  const milliseconds = costs.map((cost) => cost.milliseconds);
  const line = { measured: spread(milliseconds, digits), baseline: '', ratio: '', target: '' };
  if (limit === undefined) return line;
  return { ...line, target: `≤ ${limit}`, reached: median(milliseconds) <= limit };
}

function explained(costs: readonly Cost[], digits: number): Omit<Finding, 'what'> {
  const cpu = costs.map((cost) => cost.cpu / 1000);
  const requests = costs.map((cost) => cost.requests);
  const units = costs.map(({ readUnits }) => readUnits);
  const measured = `${spread(cpu, digits)}; ${leastToMost(requests)}; ${leastToMost(units)}`;
  return { measured, baseline: '', ratio: '', target: '' };
}
