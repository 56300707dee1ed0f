import { aggregateChart, hasValues } from './aggregate-charts.ts';
import { previousRequest } from './explore-requests.ts';
import { groupByUnit } from './group-by-unit.ts';
import { loadAggregates } from './load-aggregates.ts';
import { loadReadings } from './load-readings.ts';
import { readingChart } from './reading-charts.ts';
import type { Chart } from '../../charts/chart.ts';
import type { AggregatesPair } from './aggregate-charts.ts';
import type { ExploreRequest } from './explore-requests.ts';
import type { AbsoluteRange, ExploreState } from './explore-state.ts';
import type { SourceFields } from './field-info.ts';
import type { AggregatesRequest, LoadedGroup } from './load-aggregates.ts';
import type { LoadedReadings, ReadingsRequest } from './load-readings.ts';

interface ChartRequests {
  state: ExploreState;
  known: SourceFields;
  /** The range of the state at the time of the request. */
  range: AbsoluteRange;
  requests: readonly ExploreRequest[];
}

/** What the services have answered. */
export interface ChartData extends ChartRequests {
  aggregates: readonly AggregatesPair[];
  readings: readonly LoadedReadings[];
}

interface LoadOptions {
  signal: AbortSignal;
  /** Called with the number of readings that have arrived for all requests. */
  onProgress: (readings: number) => void;
}

/** @throws ProblemError, TypeError as of a request */
export async function loadCharts(
  given: ChartRequests,
  { signal, onProgress }: LoadOptions,
): Promise<ChartData> {
  const { state, range, requests } = given;
  const ofReadings = requests.filter((one) => one.operation === 'readings');
  const ofAggregates = requests.filter((one) => one.operation === 'aggregates');
  const counts = new Map<ReadingsRequest, number>();
  const [aggregates, readings] = await Promise.all([
    Promise.all(ofAggregates.map((request) => loadPair(request, { state, range, signal }))),
    Promise.all(
      ofReadings.map((request) =>
        loadReadings(request, {
          signal,
          onProgress: (count) => {
            counts.set(request, count);
            onProgress([...counts.values()].reduce((sum, one) => sum + one, 0));
          },
        }),
      ),
    ),
  ]);
  return { ...given, aggregates, readings };
}

async function loadPair(
  request: AggregatesRequest,
  { state, range, signal }: { state: ExploreState; range: AbsoluteRange; signal: AbortSignal },
): Promise<AggregatesPair> {
  const current = await loadAggregates(request, signal);
  if (state.compare === 'none') return { current, previous: undefined };
  const { compare, zone } = state;
  const before = previousRequest(request, { compare, zone, range, every: current.every });
  return { current, previous: await loadAggregates(before, signal) };
}

interface BuildOptions {
  width: number;
  signal: AbortSignal;
}

/** Draws one chart of each unit, with the labels of the current language. */
export async function buildCharts(data: ChartData, options: BuildOptions): Promise<Chart[]> {
  const { state, known, range } = data;
  const { compare, zone, fields } = state;
  const context = { known, range, compare, zone };
  const ofReadings = state.show === 'readings';
  const units = groupByUnit(fields, known.fields, !ofReadings);
  const charts: Chart[] = [];
  for (const unit of units) {
    const chart = ofReadings
      ? await readingChart(unit, data.readings, context, options)
      : aggregateChart(unit, data.aggregates, context);
    if (chart !== undefined) charts.push(chart);
  }
  return charts;
}

/** Chosen fields that have values in the range, none of which is a number: their charts are empty. */
export function fieldsWithoutNumbers({ state, aggregates, readings }: ChartData): string[] {
  const others = new Set([
    ...aggregates.flatMap(({ current }) => [...current.withoutNumbers]),
    ...readings.flatMap(({ nonNumeric }) => [...nonNumeric]),
  ]);
  const hasNumbers = (name: string): boolean =>
    aggregates.some(({ current }) => current.groups.some((group) => hasValues(group, name))) ||
    readings.some(({ series }) => series.some(({ field }) => field === name));
  return state.fields.filter((name) => others.has(name) && !hasNumbers(name));
}

/**
 * The requests of the drawn charts, with their width of bucket: for exports and code. A request without any value,
 * such as the energy of a room, is left out where others have values.
 */
export function exactRequests({ aggregates, readings }: ChartData): ExploreRequest[] {
  const all = [
    ...aggregates.map(({ current: { request, every, groups } }) => {
      const parameters = { ...request.parameters, maxPoints: undefined, every };
      const exact: ExploreRequest = { ...request, parameters };
      return { request: exact, hasValues: groups.some(isFilled) };
    }),
    ...readings.map(({ request, series }) => ({ request, hasValues: series.length > 0 })),
  ];
  const filled = all.filter(({ hasValues }) => hasValues);
  return (filled.length > 0 ? filled : all).map(({ request }) => request);
}

function isFilled({ fields }: LoadedGroup): boolean {
  return fields.some((one) => one !== undefined && Object.keys(one).length > 0);
}
