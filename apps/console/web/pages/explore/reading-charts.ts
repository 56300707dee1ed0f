import { language } from '../../i18n/language.ts';
import { formatInteger } from '../../i18n/format.ts';
import { lineData } from '../../charts/line-data.ts';
import { shortTime } from '../../charts/time-labels.ts';
import { chartTitle, lineLabels } from './labels.ts';
import { exploreTexts } from './texts.ts';
import type { Chart, ChartTable } from '../../charts/chart.ts';
import type { Points } from '../../charts/points.ts';
import type { ChartContext } from './aggregate-charts.ts';
import type { UnitGroup } from './group-by-unit.ts';
import type { LoadedReadings } from './load-readings.ts';

interface DrawOptions {
  /** Of the plot, in CSS pixels. */
  width: number;
  signal: AbortSignal;
}

const maxLines = 40;

/** The chart of every reading of a unit. */
export async function readingChart(
  unit: UnitGroup,
  loaded: readonly LoadedReadings[],
  { known, range, zone }: ChartContext,
  { width, signal }: DrawOptions,
): Promise<Chart> {
  const all = loaded.flatMap(({ request, series }) =>
    series
      .filter(({ field }) => unit.fields.includes(field))
      .map((one) => ({ ...one, source: request.source })),
  );
  const lines = all.slice(0, maxLines);
  const labels = lineLabels(lines, known);
  const grid = { ...range, columns: Math.max(1, Math.round(width * devicePixelRatio)) };
  const points = lines.map((line) => line.points);
  const { times, columns } = await lineData(points, grid, signal);
  const count = points.reduce((sum, { length }) => sum + length, 0);
  const texts = exploreTexts.value;
  const details = [
    texts.readingCount(formatInteger(count)),
    ...(loaded.some(({ isCut }) => isCut) ? [texts.readingsCut] : []),
    ...(all.length > maxLines ? [texts.linesCut(String(maxLines), String(all.length))] : []),
  ];
  return {
    key: unit.key,
    kind: 'lines',
    title: chartTitle(unit.fields),
    unit: unit.unit,
    detail: details.join(' · '),
    range,
    timeZone: zone,
    times,
    series: lines.map(({ device, field }, index) => ({
      key: `${device ?? ''} ${field} ${index}`,
      label: labels[index] ?? field,
      role: 'value',
      color: index,
      column: columns[index] ?? [],
    })),
    tables: points.map((one, index) => readingTable(labels[index] ?? '', one, zone)),
  };
}

function readingTable(caption: string, points: Points, zone: string): ChartTable {
  const tag = language.value;
  const { timeColumn, valueColumn } = exploreTexts.value;
  return {
    caption,
    columns: [timeColumn(zone), valueColumn],
    rowCount: points.length,
    cells: (row) => [shortTime(points.times[row] ?? 0, tag, zone), String(points.values[row])],
  };
}
