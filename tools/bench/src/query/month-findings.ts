import { leastToMost, median, spread } from '../statistics.ts';
import type { Finding } from '../report.ts';
import type { Cost, MonthCosts } from './measure-month.ts';

/** Milliseconds by the clock. */
const reach = { first: 1200, later: 30 };

/** What a shape of storage came to; the first device met a service that had just been started, which is told apart. */
export function monthFindings(shape: string, [cold, ...warm]: readonly MonthCosts[]): Finding[] {
  const costsOf = (moment: 'first' | 'later' | 'late') => warm.map((costs) => costs[moment]);
  const floors = warm.map(({ floor }) => floor);
  const later = costsOf('later');
  const counted = 'the same: CPU, ms; requests; read units';
  const line = (moment: string) => `month, ${shape}, ${moment}, ms by the clock`;
  return [
    { what: line('first'), ...byTheClock(costsOf('first'), 0, reach.first) },
    { what: counted, ...explained(costsOf('first'), 0) },
    ...(cold === undefined
      ? []
      : [{ what: 'the same, of a service just started', ...byTheClock([cold.first], 0) }]),
    {
      what: line('later'),
      ...byTheClock(later, 1, reach.later),
      ...beside(later, floors, ({ milliseconds }) => milliseconds),
    },
    {
      what: counted,
      ...explained(later, 1),
      ...beside(later, floors, ({ cpu }) => cpu / 1000),
      reach: '1 Query',
      reached: later.every(({ queries }) => queries === 1),
    },
    { what: line('after a late reading'), ...byTheClock(costsOf('late'), 1) },
    { what: counted, ...explained(costsOf('late'), 1) },
  ];
}

type Floor = MonthCosts['floor'];

function beside(costs: readonly Cost[], floors: readonly Floor[], of: (cost: Floor) => number) {
  const values = floors.map(of);
  const ratios = costs.map((cost, index) => of(cost) / (values[index] ?? NaN));
  return { floor: spread(values, 1), ratio: spread(ratios, 2) };
}

function byTheClock(costs: readonly Cost[], digits: number, limit?: number): Omit<Finding, 'what'> {
  const milliseconds = costs.map((cost) => cost.milliseconds);
  const line = { measured: spread(milliseconds, digits), floor: '', ratio: '', reach: '' };
  if (limit === undefined) return line;
  return { ...line, reach: `≤ ${limit}`, reached: median(milliseconds) <= limit };
}

function explained(costs: readonly Cost[], digits: number): Omit<Finding, 'what'> {
  const cpu = costs.map((cost) => cost.cpu / 1000);
  const requests = costs.map((cost) => cost.requests);
  const units = costs.map(({ readUnits }) => readUnits);
  const measured = `${spread(cpu, digits)}; ${leastToMost(requests)}; ${leastToMost(units)}`;
  return { measured, floor: '', ratio: '', reach: '' };
}
