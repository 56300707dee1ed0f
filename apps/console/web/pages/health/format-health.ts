import { language } from '../../i18n/language.ts';
import { formatInteger, formatNumber } from '../../i18n/format.ts';

const mebibyte = 2 ** 20;

/** `142 MiB`, `23.5 GiB`. */
export function formatBytes(bytes: number): string {
  const mebibytes = bytes / mebibyte;
  return mebibytes < 1024
    ? `${formatInteger(mebibytes)} MiB`
    : `${formatNumber(Math.round(mebibytes / 102.4) / 10)} GiB`;
}

export function formatExactBytes(bytes: number): string {
  return `${formatInteger(bytes)} B`;
}

/** Less is shown as `< $0.0001`. */
const leastDollars = 0.0001;

/** US dollars; small amounts have four decimals. */
export function formatDollars(dollars: number): string {
  const isSmall = dollars < 1;
  const format = new Intl.NumberFormat(language.value, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    ...(isSmall && { minimumFractionDigits: 4, maximumFractionDigits: 4 }),
  });
  if (dollars > 0 && dollars < leastDollars) return `< ${format.format(leastDollars)}`;
  return format.format(dollars);
}

/** A price, with all its digits. */
export function formatPrice(dollars: number): string {
  return new Intl.NumberFormat(language.value, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    maximumFractionDigits: 6,
  }).format(dollars);
}

/** Units are multiples of a half; the exact number has all its digits. */
export function formatUnits(units: number): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 }).format(units);
}
