import { emptyRow, measures } from './heat-row.ts';
import type { HeatRow } from './heat-row.ts';

/** As many as one report has; the reports of several services may have more together. */
export const maxRows = 1500;

/**
 * Adds the least busy keys beyond `limit` to the row of their kind.
 * @returns the ids of the rows that others were added to
 */
export function foldRows(rows: Map<string, HeatRow>, limit = maxRows): Set<string> {
  const changed = new Set<string>();
  if (rows.size <= limit) return changed;
  const single = [...rows.values()].filter(({ merged }) => !merged);
  const kindRows = new Map(
    [...rows.values()].flatMap((row) => (row.merged ? [[kindOf(row), row] as const] : [])),
  );
  single.sort((a, b) => a.total.throttles - b.total.throttles || a.peak - b.peak);
  for (const row of single) {
    if (rows.size <= limit) break;
    const target = kindRows.get(kindOf(row)) ?? newKindRow(row);
    kindRows.set(kindOf(row), target);
    for (const measure of measures) addCells(target[measure], row[measure]);
    rows.delete(row.id);
    rows.set(target.id, target);
    changed.add(target.id);
  }
  return changed;
}

function kindOf({ index, partition }: HeatRow): string {
  return `${index} ${firstSegment(partition)}`;
}

function firstSegment(partition: string): string {
  return partition.split('#', 1)[0] ?? partition;
}

function newKindRow({ index, partition, kind, load }: HeatRow): HeatRow {
  const name = firstSegment(partition);
  const id = `${index} * ${name}`;
  return emptyRow({ id, index, partition: name, kind, merged: true }, load.length);
}

function addCells(target: Float32Array, source: Float32Array): void {
  for (let cell = 0; cell < source.length; cell += 1) {
    target[cell] = (target[cell] ?? 0) + (source[cell] ?? 0);
  }
}
