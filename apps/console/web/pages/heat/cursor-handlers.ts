import { cellAt } from './map-geometry.ts';
import { moveCell } from './move-cell.ts';
import type { Signal } from '@preact/signals';
import type { Cursor } from './cursor.ts';
import type { HeatRow } from './heat-row.ts';
import type { Cell, MapGeometry } from './map-geometry.ts';

interface CursorHandlersOptions {
  rows: readonly HeatRow[];
  geometry: MapGeometry;
  cursor: Signal<Cursor | undefined>;
  /** Where the cells are in the window. */
  box: () => DOMRect | undefined;
  onSelect: (row: HeatRow) => void;
}

/** What keys, the mouse and fingers do with the cursor of the map. */
export function cursorHandlers({ rows, geometry, cursor, box, onSelect }: CursorHandlersOptions) {
  const select = (cell: Cell | undefined): void => {
    const row = cell === undefined ? undefined : rows[cell.row];
    if (row !== undefined) onSelect(row);
  };
  const cellOf = ({ clientX, clientY }: MouseEvent): Cell | undefined => {
    const { left = 0, top = 0 } = box() ?? {};
    return cellAt(clientX - left, clientY - top, geometry);
  };
  const stayAtRow = (cell: Cell): void => {
    cursor.value = { ...cell, id: rows[cell.row]?.id };
  };
  const onPointer = (event: PointerEvent): void => {
    const cell = cellOf(event);
    if (cell === undefined || event.pointerType === 'mouse') cursor.value = cell;
    else stayAtRow(cell);
  };
  return {
    onKeyDown: (event: KeyboardEvent): void => {
      const moved = moveCell(cursor.peek(), event.key, geometry);
      if (event.key === 'Enter') select(cursor.peek());
      else if (moved === undefined) return;
      else stayAtRow(moved);
      event.preventDefault();
    },
    /** The numbers of a cell at once: the newest one of the first row. */
    onFocus: ({ currentTarget }: FocusEvent): void => {
      const newest = moveCell(undefined, 'End', geometry);
      const isByKeyboard = (currentTarget as Element).matches(':focus-visible');
      if (isByKeyboard && cursor.peek() === undefined && newest !== undefined) stayAtRow(newest);
    },
    onPointerDown: onPointer,
    onPointerMove: onPointer,
    onPointerLeave: ({ pointerType }: PointerEvent): void => {
      // The numbers stay after the finger has left.
      if (pointerType === 'mouse') cursor.value = undefined;
    },
    onClick: (event: MouseEvent): void => select(cellOf(event)),
  };
}
