import { formatInteger } from '../../i18n/format.ts';
import { formatPercent, formatUnits } from './heat-format.ts';
import { sortRows } from './row-order.ts';
import { heatTexts, rowName } from './texts.ts';
import type { HeatRow } from './heat-row.ts';

interface HottestRowsProps {
  rows: readonly HeatRow[];
  selected: string | undefined;
  onSelect: (row: HeatRow) => void;
}

const maxShown = 15;

/** The numbers of the hottest rows, for all who do not see the map. */
export function HottestRows({ rows, selected, onSelect }: HottestRowsProps) {
  const { table, columns, rows: countText } = heatTexts.value;
  const shown = sortRows(rows, 'load').slice(0, maxShown);
  return (
    <section class="heat-table">
      <header>
        <h2>{table}</h2>
        <span class="muted">
          {countText(formatInteger(shown.length), formatInteger(rows.length))}
        </span>
      </header>
      <div class="scroll-x" tabIndex={0} role="group" aria-label={table}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{columns.key}</th>
              <th scope="col">{columns.index}</th>
              {(['peak', 'reads', 'writes', 'throttles'] as const).map((name) => (
                <th key={name} scope="col" class="number">
                  {columns[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <HottestRow key={row.id} {...{ row, onSelect }} isSelected={row.id === selected} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface HottestRowProps {
  row: HeatRow;
  isSelected: boolean;
  onSelect: (row: HeatRow) => void;
}

function HottestRow({ row, isSelected, onSelect }: HottestRowProps) {
  const { reads, writes, throttles } = row.total;
  return (
    <tr aria-selected={isSelected}>
      <td>
        <button type="button" class="link-button heat-key" onClick={() => onSelect(row)}>
          {rowName(row)}
        </button>
      </td>
      <td>{row.index}</td>
      <td class="number">{formatPercent(row.peak)}</td>
      <td class="number">{formatUnits(reads)}</td>
      <td class="number">{formatUnits(writes)}</td>
      <td class={`number${throttles > 0 ? ' danger' : ''}`}>{formatUnits(throttles)}</td>
    </tr>
  );
}
