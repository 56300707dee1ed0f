import { formatClock, formatPercent, formatUnits } from './heat-format.ts';
import { heatTexts, rowName } from './texts.ts';
import type { Signal } from '@preact/signals';
import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow } from './heat-row.ts';
import type { Cursor } from './cursor.ts';

interface ReadoutProps {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  cursor: Signal<Cursor | undefined>;
}

/** The exact numbers of the cell below the pointer or the cursor. Its height does not change. */
export function Readout({ grid, rows, cursor }: ReadoutProps) {
  const cell = cursor.value;
  const row = cell === undefined ? undefined : rows[cell.row];
  const texts = heatTexts.value;
  return (
    <p class="heat-readout" id="heat-readout" role="status">
      {row === undefined || cell === undefined ? (
        <span class="muted">{texts.mapHelp}</span>
      ) : (
        <>
          <strong class="heat-key">{rowName(row)}</strong>
          <span>{row.index}</span>
          <span>{formatClock(grid.timeOf(cell.column))}</span>
          <span>{numbersOf(row, cell.column)}</span>
        </>
      )}
    </p>
  );
}

function numbersOf({ reads, writes, throttles, load }: HeatRow, column: number): string {
  const { cell, ofLimit } = heatTexts.value;
  const at = column % load.length;
  const value = (cells: Float32Array): string => formatUnits(cells[at] ?? 0);
  const share = ofLimit(formatPercent(load[at] ?? 0));
  return `${cell(value(reads), value(writes), value(throttles))} · ${share}`;
}
