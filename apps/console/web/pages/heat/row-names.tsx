import { Icon } from '../../parts/icon.tsx';
import { labelledRows } from './row-order.ts';
import { rowName } from './texts.ts';
import type { HeatRow } from './heat-grid.ts';
import type { MapGeometry } from './map-geometry.ts';

interface RowNamesProps {
  rows: readonly HeatRow[];
  geometry: MapGeometry;
  selected: string | undefined;
  onSelect: (row: HeatRow) => void;
}

/** Pixels that a name needs. */
const labelHeight = 18;

/** Names beside the map, as many as have space. The table below the map has them for screen readers. */
export function RowNames({ rows, geometry, selected, onSelect }: RowNamesProps) {
  const { rowHeight, height } = geometry;
  return (
    <div class="heat-names" style={{ height: `${height}px` }} aria-hidden="true">
      {labelledRows(rows.length, rowHeight, labelHeight).map((at) => {
        const row = rows[at];
        if (row === undefined) return null;
        return (
          <div
            key={row.id}
            class={`heat-name${row.id === selected ? ' heat-name-selected' : ''}`}
            style={{ top: `${at * rowHeight}px` }}
            title={`${row.index} ${rowName(row)}`}
            onClick={() => onSelect(row)}
          >
            {row.total.throttles > 0 && <Icon name="warning" />}
            <span class={`heat-key${row.merged ? ' heat-merged' : ''}`}>{rowName(row)}</span>
            {row.index !== 'table' && <span class="heat-index">{row.index}</span>}
          </div>
        );
      })}
    </div>
  );
}
