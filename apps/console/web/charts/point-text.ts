import { language } from '../i18n/language.ts';
import { readLines } from './read-points.ts';
import { chartTexts } from './texts.ts';
import { fullTime } from './time-labels.ts';
import type { Chart } from './chart.ts';

/** All digits that the service has sent, as far as a double has them. */
export function exactText(value: number | null | undefined): string {
  return typeof value === 'number' ? String(value) : '–';
}

/** The time of a point; of a bucket its beginning. */
export function timeText({ times, buckets, timeZone }: Chart, position: number): string {
  const time = buckets?.[position]?.from ?? times[position];
  return time === undefined ? '' : fullTime(time, language.value, timeZone);
}

/** The exact extremes of a bucket, where a line has a band. */
export function bandText({ series }: Chart, line: number, position: number): string | undefined {
  const [low, high] = [series[line + 1], series[line + 2]];
  if (low?.role !== 'low' || high?.role !== 'high') return undefined;
  const [from, to] = [low.column[position], high.column[position]];
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  return chartTexts.value.band(exactText(from), exactText(to));
}

/** A point as a screen reader says it. @param line only this one */
export function pointText(chart: Chart, position: number, line: number | undefined): string {
  const lines = line === undefined ? readLines(chart.series) : [line];
  const values = lines.flatMap((index) => {
    const { label, column } = chart.series[index] ?? {};
    const value = column?.[position];
    if (typeof value !== 'number') return [];
    const band = bandText(chart, index, position);
    const number = [exactText(value), chart.unit].filter(Boolean).join(' ');
    return [`${label ?? ''}: ${number}${band === undefined ? '' : ` (${band})`}`];
  });
  return [timeText(chart, position), ...values].join('; ');
}
