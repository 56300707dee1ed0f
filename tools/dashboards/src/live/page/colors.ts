import type { Threshold } from '../dashboard-model.ts';

/** Colors of lines, in order. */
const palette = [
  '#73bf69',
  '#f2cc0c',
  '#8ab8ff',
  '#ff780a',
  '#f2495c',
  '#5794f2',
  '#b877d9',
  '#37872d',
  '#fade2a',
  '#447ebc',
  '#c15c17',
  '#e0b400',
  '#ca95e5',
  '#96d98d',
  '#ffb357',
  '#c4162a',
];

/** Grafana's color names. */
const named: Readonly<Record<string, string>> = {
  green: '#73bf69',
  yellow: '#f2cc0c',
  orange: '#ff9830',
  red: '#f2495c',
  blue: '#5794f2',
  purple: '#b877d9',
  text: '#ccccdc',
  transparent: 'transparent',
};

export function colorOf(index: number): string {
  return palette[index % palette.length] ?? '';
}

export function namedColor(name: string): string {
  return named[name] ?? name;
}

/** The color of the last step that the value has reached. */
export function thresholdColor(steps: readonly Threshold[] | undefined, value: number): string {
  const reached = steps?.findLast((step) => step.value === null || value >= step.value);
  return namedColor(reached?.color ?? 'green');
}
