import { formatNumber } from '../i18n/format.ts';

interface ValueProps {
  value: number | string | boolean | null;
  unit?: string | undefined;
}

/** A value with its unit. The tooltip has all digits. */
export function Value({ value, unit }: ValueProps) {
  const exact = `${String(value)}${unit === undefined ? '' : ` ${unit}`}`;
  if (typeof value !== 'number') {
    return (
      <span class="value" title={exact}>
        {value === null ? '–' : String(value)}
      </span>
    );
  }
  return (
    <span class="value" title={exact}>
      {formatNumber(value)}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </span>
  );
}
