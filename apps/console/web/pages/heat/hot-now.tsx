import { formatInteger } from '../../i18n/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { formatClock, formatPercent, formatUnits } from './heat-format.ts';
import { rowId } from './heat-grid.ts';
import { isHot, partitionId } from './feed/merge-reports.ts';
import { heatTexts } from './texts.ts';
import type { ReportedPartition } from './feed/merge-reports.ts';

interface HotNowProps {
  partitions: readonly ReportedPartition[];
  limits: { read: number; write: number };
  onSelect: (id: string) => void;
}

const maxShown = 6;

/** The keys that are hot now, the first thing to read at night. */
export function HotNow({ partitions, limits, onSelect }: HotNowProps) {
  const texts = heatTexts.value;
  const hot = partitions.filter(isHot);
  if (hot.length === 0) {
    return (
      <section class="heat-now">
        <h2>{texts.noneHot}</h2>
        <p class="muted">
          {texts.noneHotWhy(formatInteger(limits.read), formatInteger(limits.write))}
        </p>
      </section>
    );
  }
  return (
    <section class="heat-now heat-now-hot" aria-live="polite">
      <h2>
        <Icon name="warning" /> {texts.hotNow(formatInteger(hot.length))}
      </h2>
      <ul>
        {hot.slice(0, maxShown).map((partition) => (
          <li key={partitionId(partition)}>
            <button
              type="button"
              class="link-button heat-key"
              onClick={() => onSelect(rowId({ ...partition, merged: false }))}
            >
              {partition.partition}
            </button>
            <span>{partition.index}</span>
            <span>{describeHeat(partition)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeHeat({ unit, utilization, throttlesPerSecond, hotSince }: ReportedPartition) {
  const { explain, ofLimit, throttlesPerSecond: perSecond, since } = heatTexts.value;
  const throttles = Object.values(throttlesPerSecond).reduce((sum, value) => sum + value, 0);
  const parts = [`${explain.unit[unit]} ${ofLimit(formatPercent(utilization))}`];
  if (throttles > 0) parts.push(`${formatUnits(throttles)} ${perSecond}`);
  if (hotSince !== undefined) parts.push(since(formatClock(new Date(hotSince))));
  return parts.join(' · ');
}
