import { leastToMost, median, quantile, spread } from '../statistics.ts';
import type { Finding } from '../report.ts';

/** Microseconds of CPU per response, and the milliseconds of all responses. */
export interface Cost {
  cpu: number;
  times: number[];
}

export interface Turn {
  baseline: Cost;
  query: Cost & { requests: number; units: number };
  http: Cost;
}

/** Maximum CPU and latency of a response, as a multiple of the baseline's. */
const target = 1.2;

export function latestFindings(what: string, turns: readonly Turn[]): Finding[] {
  const queries = turns.map(({ query }) => query);
  const counted = [queries.map(({ requests }) => requests), queries.map(({ units }) => units)];
  return [
    {
      what: `${what}, CPU per response, µs`,
      ...compare(turns, ({ cpu }) => cpu, 0),
      ...reached(turns, ({ cpu }) => cpu),
    },
    besideHttp(turns),
    { what: 'the same, p50 by wall clock, ms', ...compare(turns, p50, 2), target: '' },
    { what: 'the same, p99 by wall clock, ms', ...compare(turns, p99, 2), ...reached(turns, p99) },
    {
      what: 'the same, requests; read units',
      measured: counted.map(leastToMost).join('; '),
      baseline: '',
      ratio: '',
      target: '1 request',
      reached: queries.every(({ requests }) => requests === 1),
    },
  ];
}

const p50 = ({ times }: Cost): number => median(times);
const p99 = ({ times }: Cost): number => quantile(times, 0.99);

function compare(turns: readonly Turn[], of: (cost: Cost) => number, digits: number) {
  return {
    measured: spread(
      turns.map(({ query }) => of(query)),
      digits,
    ),
    baseline: spread(
      turns.map(({ baseline }) => of(baseline)),
      digits,
    ),
    ratio: spread(ratios(turns, of), 2),
  };
}

function reached(turns: readonly Turn[], of: (cost: Cost) => number) {
  return { target: `≤ ${target}`, reached: median(ratios(turns, of)) <= target };
}

function ratios(turns: readonly Turn[], of: (cost: Cost) => number): number[] {
  return turns.map(({ query, baseline }) => of(query) / of(baseline));
}

/** The baseline serves no HTTP: the CPU of a bare Node server is shown in addition. */
function besideHttp(turns: readonly Turn[]): Finding {
  const of = (cost: (turn: Turn) => number) => spread(turns.map(cost), 0);
  return {
    what: 'the same, compared with the baseline and a bare HTTP response',
    measured: of(({ query }) => query.cpu),
    baseline: `${of(({ baseline }) => baseline.cpu)} + ${of(({ http }) => http.cpu)}`,
    ratio: spread(
      turns.map(({ query, baseline, http }) => query.cpu / (baseline.cpu + http.cpu)),
      2,
    ),
    target: '',
  };
}
