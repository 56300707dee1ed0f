import type { Cell, MapGeometry } from './map-geometry.ts';

type Size = Pick<MapGeometry, 'rows' | 'first' | 'columns' | 'pool'>;

/** Rows that Page Up and Page Down move by. */
const pageRows = 10;

/**
 * The cell that a key moves the cursor to; undefined for other keys. Without a cursor, the newest cell of the first
 * row.
 */
export function moveCell(cell: Cell | undefined, key: string, size: Size): Cell | undefined {
  const last = size.first + size.columns - 1;
  const { row, column } = cell ?? { row: key === 'ArrowDown' ? -1 : 0, column: last };
  const moves: Partial<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - size.pool },
    ArrowRight: { row, column: column + size.pool },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
    Home: { row, column: size.first },
    End: { row, column: last },
  };
  const moved = moves[key];
  if (moved === undefined || size.rows === 0) return undefined;
  return {
    row: Math.min(size.rows - 1, Math.max(0, moved.row)),
    column: Math.min(last, Math.max(size.first, moved.column)),
  };
}
