import { formatInteger } from '../../i18n/format.ts';
import { formatClock, formatUnits } from './heat-format.ts';
import { heatTexts, rowName } from './texts.ts';
import type { HeatGrid, Reshard } from './heat-grid.ts';
import type { HeatRow } from './heat-row.ts';

interface MarkListsProps {
  grid: HeatGrid;
  onSelect: (row: HeatRow) => void;
}

/** The marks of the map as text: which keys were throttled when, and when shards were added to which family. */
export function MarkLists({ grid, onSelect }: MarkListsProps) {
  return (
    <div class="heat-mark-lists">
      <Throttles {...{ grid, onSelect }} />
      <Reshards all={grid.reshards} />
    </div>
  );
}

const maxShown = 50;

function Throttles({ grid, onSelect }: MarkListsProps) {
  const { throttledKeys: title, throttles } = heatTexts.value;
  const keys = throttledKeys(grid);
  if (keys.length === 0) return null;
  return (
    <details>
      <summary>{title(formatInteger(keys.length))}</summary>
      <ul>
        {keys.slice(0, maxShown).map(({ row, first, last }) => (
          <li key={row.id}>
            <Period from={grid.timeOf(first)} to={grid.timeOf(last)} />{' '}
            <button type="button" class="link-button heat-key" onClick={() => onSelect(row)}>
              {rowName(row)}
            </button>{' '}
            {row.index !== 'table' && `${row.index} `}
            {throttles(formatUnits(row.total.throttles))}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Starts of the first and the last column. */
function Period({ from, to }: { from: Date; to: Date }) {
  const start = <time dateTime={from.toISOString()}>{formatClock(from)}</time>;
  if (from.getTime() === to.getTime()) return start;
  return (
    <>
      {start}
      {'\u2013'}
      <time dateTime={to.toISOString()}>{formatClock(to)}</time>
    </>
  );
}

/** Has the list as a property: with signals, a component is rendered again only where a property has changed. */
function Reshards({ all }: { all: readonly Reshard[] }) {
  const { reshards, shardsFromTo } = heatTexts.value;
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{reshards(formatInteger(all.length))}</summary>
      <ul>
        {[...all].reverse().map(({ time, family, from, to }) => (
          <li key={`${time} ${family}`}>
            <time dateTime={time}>{formatClock(new Date(time))}</time> <code>{family}</code>{' '}
            {shardsFromTo(formatInteger(from), formatInteger(to))}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ThrottledKey {
  row: HeatRow;
  /** The first and the last throttled column of the window. */
  first: number;
  last: number;
}

/** The rows with throttles, the latest ones first. */
function throttledKeys({ rows, first, columns }: HeatGrid): ThrottledKey[] {
  const columnOf = (cell: number): number =>
    first + ((((cell - first) % columns) + columns) % columns);
  return rows
    .filter(({ throttled }) => throttled.length > 0)
    .map((row) => {
      let [low, high] = [Infinity, -Infinity];
      for (const column of row.throttled.map(columnOf)) {
        low = Math.min(low, column);
        high = Math.max(high, column);
      }
      return { row, first: low, last: high };
    })
    .sort((a, b) => b.last - a.last || b.row.total.throttles - a.row.total.throttles);
}
