import { useState } from 'preact/hooks';
import { formatInteger } from '../i18n/format.ts';
import { Button } from '../parts/button.tsx';
import { chartTexts } from './texts.ts';
import type { ChartTable } from './chart.ts';

/** Rows are made in parts, so that a table of a million readings can be opened. */
const rowsAtOnce = 100;

/** The numbers of a chart as tables, which are made when they are opened. */
export function ChartNumbers({ tables }: { tables: readonly ChartTable[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{chartTexts.value.numbers}</summary>
      {isOpen && tables.map((table) => <NumberTable key={table.caption} table={table} />)}
    </details>
  );
}

function NumberTable({ table }: { table: ChartTable }) {
  const [limit, setLimit] = useState(rowsAtOnce);
  const shown = Math.min(limit, table.rowCount);
  const left = table.rowCount - shown;
  const { more, rows } = chartTexts.value;
  return (
    <>
      <div
        class="number-table"
        tabIndex={0}
        role="region"
        aria-label={chartTexts.value.numbersOf(table.caption)}
      >
        <table class="table">
          <caption>
            {table.caption} <span>{rows(formatInteger(shown), formatInteger(table.rowCount))}</span>
          </caption>
          <thead>
            <tr>
              {table.columns.map((name, index) => (
                <th key={name} scope="col" class={index === 0 ? undefined : 'number'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, row) => (
              <Row key={row} cells={table.cells(row)} />
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <Button onClick={() => setLimit(limit + rowsAtOnce)}>
          {more(formatInteger(Math.min(left, rowsAtOnce)))}
        </Button>
      )}
    </>
  );
}

function Row({ cells }: { cells: readonly string[] }) {
  const [first, ...rest] = cells;
  return (
    <tr>
      <th scope="row">{first}</th>
      {rest.map((text, index) => (
        <td key={index} class="number">
          {text}
        </td>
      ))}
    </tr>
  );
}
