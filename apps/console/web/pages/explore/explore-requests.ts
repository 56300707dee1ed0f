import { daysBefore } from '../../charts/zoned-time.ts';
import type { query } from '@engawa/client';
import type { AbsoluteRange, ExploreState, Source } from './explore-state.ts';

export type Width = NonNullable<query.GetAggregatesInput['every']>;
/** The functions that have one number per bucket. */
export type FunctionName = Exclude<
  NonNullable<query.GetAggregatesInput['fn']>[number],
  'duration' | 'share' | 'changes'
>;

/** Query parameters of aggregates, as all kinds of sources have them. */
export type AggregatesParameters = Pick<
  query.GetPlaceAggregatesInput,
  'from' | 'to' | 'timeZone' | 'every' | 'maxPoints' | 'fields'
> & { fn?: FunctionName[] | undefined; groupBy?: 'device' | undefined };

export type ReadingsParameters = Pick<query.GetPlaceReadingsInput, 'from' | 'to' | 'fields'>;

/** A request of a chart's data. `counters` become bars of their increase, `levels` become lines. */
export type ExploreRequest = { source: Source; fields: readonly string[] } & (
  | { operation: 'aggregates'; of: 'levels' | 'counters'; parameters: AggregatesParameters }
  | { operation: 'readings'; of: 'readings'; parameters: ReadingsParameters }
);

interface RequestContext {
  range: AbsoluteRange;
  /** Whether a field only grows, such as energy. */
  isCounter: (field: string) => boolean;
  /** Of the plot, in CSS pixels. */
  width: number;
}

/** A point of a line takes two pixels, a bar takes sixteen. */
const pixelsPerPoint = 2;
const pixelsPerBar = 16;
/** Widths in steps: a window that is resized a little needs no other data. */
const pointStep = 50;
const minBars = 12;
/** The query service's largest page. */
const maxPoints = 1000;

/** The requests of the charts: for each source one for its levels and one for its counters. */
export function requestsOf(state: ExploreState, context: RequestContext): ExploreRequest[] {
  const { sources, fields, show } = state;
  const { isCounter } = context;
  if (show === 'readings') {
    const parameters = readingsParameters(fields, context.range);
    return fields.length === 0
      ? []
      : sources.map((source) => {
          return { source, fields, operation: 'readings', of: 'readings', parameters };
        });
  }
  return sources.flatMap((source) =>
    (['levels', 'counters'] as const).flatMap((of): ExploreRequest[] => {
      const own = fields.filter((field) => isCounter(field) === (of === 'counters'));
      if (own.length === 0) return [];
      const parameters = aggregatesParameters(state, context, { source, of, fields: own });
      return [{ source, fields: own, operation: 'aggregates', of, parameters }];
    }),
  );
}

function aggregatesParameters(
  { show, split, zone }: ExploreState,
  { range, width }: RequestContext,
  { source, of, fields }: { source: Source; of: 'levels' | 'counters'; fields: readonly string[] },
): AggregatesParameters {
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    timeZone: zone,
    maxPoints: of === 'counters' ? barsIn(width) : pointsIn(width),
    fn: of === 'counters' ? ['increase'] : functionsOf(show),
    fields: fieldList(fields),
    ...(split && source.kind !== 'device' && { groupBy: 'device' }),
  };
}

function readingsParameters(fields: readonly string[], { from, to }: AbsoluteRange) {
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    fields: fieldList(fields),
  };
}

/** An average hides extremes: it is shown with them. */
export function functionsOf(show: ExploreState['show']): FunctionName[] {
  if (show === 'readings') return [];
  return show === 'avg' ? ['avg', 'min', 'max'] : [show];
}

function pointsIn(width: number): number {
  const steps = Math.floor(width / pixelsPerPoint / pointStep);
  return Math.min(maxPoints, Math.max(1, steps) * pointStep);
}

function barsIn(width: number): number {
  const bars = Math.floor(width / pixelsPerBar);
  return Math.max(minBars, Math.floor(bars / minBars) * minBars);
}

/** Names in one parameter, as in CSV where a name has a comma or a quote. */
export function fieldList(fields: readonly string[]): string {
  return fields
    .map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
}

/** The same request for the day or the week before, with buckets of the same width. */
export function previousRequest(
  request: Extract<ExploreRequest, { operation: 'aggregates' }>,
  {
    compare,
    zone,
    range,
    every,
  }: Pick<ExploreState, 'compare' | 'zone'> & {
    range: AbsoluteRange;
    every: Width;
  },
) {
  const days = compare === 'week' ? 7 : 1;
  const from = daysBefore(range.from, days, zone);
  const to = daysBefore(range.to, days, zone);
  const parameters: AggregatesParameters = {
    ...request.parameters,
    maxPoints: undefined,
    every,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  return { ...request, parameters };
}
