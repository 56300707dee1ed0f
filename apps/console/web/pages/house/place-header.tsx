import { Icon } from '../../parts/icon.tsx';
import { formatInteger } from '../../i18n/format.ts';
import { houseTexts } from './texts.ts';
import type { Row } from './rows.ts';

interface PlaceHeaderProps {
  row: Extract<Row, { kind: 'place' }>;
  onToggle: () => void;
}

/** The name of a place; a button that hides or shows its devices. */
export function PlaceHeader({ row, onToggle }: PlaceHeaderProps) {
  const { place, isCollapsed, count } = row;
  const { withoutPlace, devices } = houseTexts.value;
  return (
    <h2 class="place-row">
      <button type="button" aria-expanded={!isCollapsed} onClick={onToggle}>
        <Icon name={isCollapsed ? 'right' : 'down'} />
        <span>{place.id === undefined ? withoutPlace : place.name}</span>
        {count !== undefined && <span class="place-count">{devices(formatInteger(count))}</span>}
      </button>
    </h2>
  );
}
