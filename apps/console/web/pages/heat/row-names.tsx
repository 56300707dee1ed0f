import { formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { tallHeight, yOf } from './map-geometry.ts';
import { labelGroups } from './row-order.ts';
import { heatTexts, rowName } from './texts.ts';
import type { HeatRow } from './heat-row.ts';
import type { MapGeometry } from './map-geometry.ts';

interface RowNamesProps {
  rows: readonly HeatRow[];
  geometry: MapGeometry;
  selected: string | undefined;
  onSelect: (row: HeatRow) => void;
}

/** Names beside the map. The table below the map has them for screen readers. */
export function RowNames({ rows, geometry, selected, onSelect }: RowNamesProps) {
  const { height, tall } = geometry;
  return (
    <div class="heat-names" style={{ height: `${height}px` }} aria-hidden="true">
      {rows.slice(0, tall).map((row, at) => (
        <div
          key={row.id}
          class={`heat-name${row.id === selected ? ' heat-name-selected' : ''}`}
          style={{ top: `${at * tallHeight}px` }}
          title={`${row.index} ${rowName(row)}`}
          onClick={() => onSelect(row)}
        >
          {row.total.throttles > 0 && <Icon name="warning" />}
          <span class={`heat-key${row.merged ? ' heat-merged' : ''}`}>
            <bdi>{rowName(row)}</bdi>
          </span>
          {row.index !== 'table' && <span class="heat-index">{row.index}</span>}
        </div>
      ))}
      {rows.length > tall && <LowNames {...{ rows, geometry }} />}
    </div>
  );
}

/** Pixels that a name needs. */
const labelHeight = 18;

/** In the order by load, low rows have their number; by key, neighbours have the name of their family. */
function LowNames({ rows, geometry }: Pick<RowNamesProps, 'rows' | 'geometry'>) {
  const { tall, lowHeight } = geometry;
  if (tall > 0) {
    return (
      <div class="heat-group" style={{ top: `${yOf(tall, geometry)}px` }}>
        {heatTexts.value.moreRows(formatInteger(rows.length - tall))}
      </div>
    );
  }
  let free = 0;
  return (
    <>
      {labelGroups(rows, tall).map(({ row, rows: count, text }) => {
        const top = yOf(row, geometry);
        if (top < free || (count * lowHeight < labelHeight && count < 2)) return null;
        free = top + labelHeight;
        return (
          <div key={`${row} ${text}`} class="heat-group heat-key" style={{ top: `${top}px` }}>
            {text} {count > 1 && <span class="muted">× {formatInteger(count)}</span>}
          </div>
        );
      })}
    </>
  );
}
