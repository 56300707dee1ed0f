import type { Signal } from '@preact/signals';
import type { HeatRow } from './heat-row.ts';
import type { Cell } from './map-geometry.ts';

/** A cell whose numbers are shown. */
export interface Cursor extends Cell {
  /** The row that the cursor stays at when the order changes; without it, the cell is that below the mouse. */
  id?: string | undefined;
}

/** Moves the cursor with its row. */
export function followRow(cursor: Signal<Cursor | undefined>, rows: readonly HeatRow[]): void {
  const { value } = cursor;
  if (value?.id === undefined || rows[value.row]?.id === value.id) return;
  const row = rows.findIndex(({ id }) => id === value.id);
  cursor.value = row === -1 ? undefined : { ...value, row };
}
