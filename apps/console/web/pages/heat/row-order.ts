import type { HeatRow, Measure } from './heat-grid.ts';

export const orders = ['load', 'key'] as const;
export type RowOrder = (typeof orders)[number];

/** Indexes in the order of the table's documentation. */
const indexes = ['table', 'gsi1', 'gsi2'];

/** By load: throttled rows first, then the highest load of a column. By key: neighbours in the table side by side. */
export function sortRows(rows: readonly HeatRow[], order: RowOrder): HeatRow[] {
  return rows.toSorted(order === 'load' ? byLoad : byKey);
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

/** Rows whose names have space beside the map: in the order of the map, the first ones win. @param rowHeight pixels */
export function labelledRows(count: number, rowHeight: number, labelHeight: number): number[] {
  const step = Math.max(1, Math.ceil(labelHeight / rowHeight));
  return Array.from({ length: Math.ceil(count / step) }, (_, label) => label * step);
}
