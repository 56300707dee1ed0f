import { language } from '../../i18n/language.ts';
import { joinPoints, maxStepOf } from '../../charts/join-points.ts';
import { PointBuffer } from '../../charts/points.ts';
import { shortTime } from '../../charts/time-labels.ts';
import { sourceKey } from './explore-state.ts';
import { bucketDetail, chartTitle, functionName, lineLabels } from './labels.ts';
import { exploreTexts } from './texts.ts';
import type { Chart, ChartSeries, ChartTable, SeriesRole, TimeRange } from '../../charts/chart.ts';
import type { FunctionName } from './explore-requests.ts';
import type { Comparison, Source } from './explore-state.ts';
import type { SourceFields } from './field-info.ts';
import type { UnitGroup } from './group-by-unit.ts';
import type { LoadedAggregates, LoadedGroup } from './load-aggregates.ts';

/** A request's buckets, and those of the day or week before. */
export interface AggregatesPair {
  current: LoadedAggregates;
  previous: LoadedAggregates | undefined;
}

export interface ChartContext {
  known: SourceFields;
  range: TimeRange;
  zone: string;
  compare: Comparison;
}

/** A series before it has the times of its chart: a value for each bucket. */
interface BucketSeries extends Omit<ChartSeries, 'column'> {
  /** What a table's column is called. */
  heading: string;
  values: readonly (number | undefined)[];
}

interface Line {
  source: Source;
  field: string;
  device: string | undefined;
  group: LoadedGroup;
  previous: LoadedGroup | undefined;
}

/** More lines cannot be told apart. */
const maxLines = 40;
/** More bands hide each other. */
const maxBands = 4;

/** The chart of a unit. undefined where no request has its fields. */
export function aggregateChart(
  unit: UnitGroup,
  pairs: readonly AggregatesPair[],
  context: ChartContext,
): Chart | undefined {
  const own = pairs.filter(({ current }) =>
    unit.fields.some((field) => current.request.fields.includes(field)),
  );
  const [first] = own;
  if (first === undefined) return undefined;
  const { buckets, every, request } = first.current;
  const [shown = 'avg'] = request.parameters.fn ?? [];
  const candidates = own.flatMap((pair) => linesOf(unit, pair));
  const filled = candidates.filter(({ group, field }) => hasValues(group, field));
  // Not every source has every field. Where none has it, the chart is empty, and says so.
  const allLines = filled.length > 0 ? filled : candidates.slice(0, 1);
  const lines = allLines.slice(0, maxLines);
  const series = seriesOf(lines, shown, context);
  const detail = bucketDetail(shown, every);
  const cut = exploreTexts.value.linesCut(String(maxLines), String(allLines.length));
  return {
    key: unit.key,
    kind: unit.isCounter ? 'bars' : 'lines',
    title: chartTitle(unit.fields),
    unit: shown === 'count' ? undefined : unit.unit,
    detail: allLines.length > maxLines ? `${detail} · ${cut}` : detail,
    range: context.range,
    timeZone: context.zone,
    ...(unit.isCounter ? barData(series, buckets) : lineData(series, buckets)),
    tables: [bucketTable(chartTitle(unit.fields), series, buckets, context)],
  };
}

function linesOf(unit: UnitGroup, { current, previous }: AggregatesPair): Line[] {
  const { source, fields } = current.request;
  return current.groups.flatMap((group) =>
    unit.fields
      .filter((field) => fields.includes(field))
      .map((field) => ({
        source,
        field,
        device: group.device,
        group,
        previous: previous?.groups.find(({ device }) => device === group.device),
      })),
  );
}

export function hasValues({ fields }: LoadedGroup, field: string): boolean {
  return fields.some((one) => one !== undefined && Object.hasOwn(one, field));
}

function seriesOf(
  lines: readonly Line[],
  shown: FunctionName,
  { known, compare }: ChartContext,
): BucketSeries[] {
  const labels = lineLabels(lines, known);
  const hasBands = shown === 'avg' && lines.length <= maxBands;
  return lines.flatMap((line, color) => {
    const label = labels[color] ?? line.field;
    const one = (role: SeriesRole, name: FunctionName, group: LoadedGroup, text = label) => ({
      key: `${sourceKey(line.source)} ${line.device ?? ''} ${line.field} ${role}`,
      label: text,
      heading: shown === 'avg' ? `${text}, ${functionName(name)}` : text,
      role,
      color,
      values: valuesOf(group, line.field, name),
    });
    const before = exploreTexts.value.previous[compare === 'week' ? 'week' : 'day'](label);
    return [
      one('value', shown, line.group),
      ...(hasBands ? [one('low', 'min', line.group), one('high', 'max', line.group)] : []),
      ...(line.previous === undefined ? [] : [one('previous', shown, line.previous, before)]),
    ];
  });
}

function valuesOf({ fields }: LoadedGroup, field: string, name: FunctionName) {
  return fields.map((one) =>
    one !== undefined && Object.hasOwn(one, field) ? (one[field]?.[name] ?? undefined) : undefined,
  );
}

/** A point of a line is in the middle of its bucket. */
function lineData(series: readonly BucketSeries[], buckets: readonly TimeRange[]) {
  const joined = series.map(({ values }) => {
    const points = new PointBuffer();
    for (const [index, bucket] of buckets.entries()) {
      const value = values[index];
      if (value !== undefined) points.add(middleOf(bucket), value);
    }
    return { points, maxStepMs: maxStepOf(points, 0) };
  });
  const { times, columns } = joinPoints(joined);
  const byMiddle = new Map(buckets.map((bucket) => [middleOf(bucket), bucket]));
  return {
    times,
    // A time in a gap has no bucket.
    buckets: times.map((time) => byMiddle.get(time) ?? { from: time, to: time }),
    series: series.map((one, index): ChartSeries => ({ ...one, column: columns[index] ?? [] })),
  };
}

function barData(series: readonly BucketSeries[], buckets: readonly TimeRange[]) {
  return {
    times: buckets.map(middleOf),
    buckets,
    series: series.map((one): ChartSeries => {
      return { ...one, column: buckets.map((_, index) => one.values[index] ?? null) };
    }),
  };
}

function middleOf({ from, to }: TimeRange): number {
  return (from + to) / 2;
}

function bucketTable(
  caption: string,
  series: readonly BucketSeries[],
  buckets: readonly TimeRange[],
  { zone }: ChartContext,
): ChartTable {
  const tag = language.value;
  return {
    caption,
    columns: [exploreTexts.value.timeColumn(zone), ...series.map(({ heading }) => heading)],
    rowCount: buckets.length,
    cells: (row) => [
      shortTime(buckets[row]?.from ?? 0, tag, zone),
      ...series.map(({ values }) => String(values[row] ?? '–')),
    ],
  };
}
