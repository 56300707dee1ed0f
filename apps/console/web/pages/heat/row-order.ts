import type { HeatRow, Measure } from './heat-row.ts';

export const orders = ['load', 'key'] as const;
export type RowOrder = (typeof orders)[number];

/** Indexes in the order of the table's documentation. */
const indexes = ['table', 'gsi1', 'gsi2'];

/** By load: throttled rows first, then the highest load of a column. By key: neighbours in the table side by side. */
export function sortRows(rows: readonly HeatRow[], order: RowOrder): HeatRow[] {
  return [...rows].sort(order === 'load' ? byLoad : byKey);
}

function byLoad(a: HeatRow, b: HeatRow): number {
  const throttled = Number(b.total.throttles > 0) - Number(a.total.throttles > 0);
  return throttled || Number(a.merged) - Number(b.merged) || b.peak - a.peak || byKey(a, b);
}

function byKey(a: HeatRow, b: HeatRow): number {
  const index = indexes.indexOf(a.index) - indexes.indexOf(b.index);
  return index || compareTexts(a.partition, b.partition) || Number(a.merged) - Number(b.merged);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether a row has anything to show for a measure. */
export function hasUse(row: HeatRow, measure: Measure): boolean {
  return measure === 'load' ? row.peak > 0 : row.total[measure] > 0;
}

/** A name beside the map: of a tall row, or of low rows that begin alike. */
export interface Label {
  /** The first row of the name. */
  row: number;
  /** The number of rows with the name. */
  rows: number;
  text: string;
}

/** Groups of neighbouring low rows with the same index and first segment. */
export function labelGroups(rows: readonly HeatRow[], from: number): Label[] {
  const groups: Label[] = [];
  rows.forEach(({ index, partition }, row) => {
    if (row < from) return;
    const text = `${index} ${partition.split('#', 1)[0] ?? ''}`;
    const last = groups.at(-1);
    if (last?.text === text) last.rows += 1;
    else groups.push({ row, rows: 1, text });
  });
  return groups;
}
