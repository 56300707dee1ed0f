import { language } from '../../i18n/language.ts';
import { formatInteger } from '../../i18n/format.ts';

const mebibyte = 2 ** 20;

/** `142 MiB`. */
export function formatBytes(bytes: number): string {
  return `${formatInteger(bytes / mebibyte)} MiB`;
}

export function formatExactBytes(bytes: number): string {
  return `${formatInteger(bytes)} B`;
}

/** US dollars with the digits that small amounts need. */
export function formatDollars(dollars: number): string {
  return new Intl.NumberFormat(language.value, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    ...(dollars >= 1 || dollars === 0
      ? { maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 3, minimumFractionDigits: 2 }),
  }).format(dollars);
}

/** Units are multiples of a half; the exact number has all its digits. */
export function formatUnits(units: number): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 }).format(units);
}
