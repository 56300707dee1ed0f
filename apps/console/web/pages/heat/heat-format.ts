import { computed } from '@preact/signals';
import { language } from '../../i18n/language.ts';

const percentFormat = computed(
  () =>
    new Intl.NumberFormat(language.value, {
      style: 'percent',
      maximumSignificantDigits: 3,
      maximumFractionDigits: 3,
    }),
);
/** As the services round units. */
const unitFormat = computed(
  () => new Intl.NumberFormat(language.value, { maximumFractionDigits: 3 }),
);
/** A rate of the last seconds is an estimate: three digits, or all before the decimal point. */
const rateFormat = computed(
  () =>
    new Intl.NumberFormat(language.value, {
      maximumSignificantDigits: 3,
      maximumFractionDigits: 0,
      roundingPriority: 'morePrecision',
    }),
);
const clockFormat = computed(
  () => new Intl.DateTimeFormat(language.value, { timeStyle: 'medium', hourCycle: 'h23' }),
);
const hourFormat = computed(
  () =>
    new Intl.DateTimeFormat(language.value, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** Hours and minutes, short enough for an axis. */
export function formatHour(time: Date): string {
  return hourFormat.value.format(time);
}

export function formatPercent(share: number): string {
  return percentFormat.value.format(share);
}

export function formatUnits(units: number): string {
  return unitFormat.value.format(units);
}

/** Units a second. */
export function formatRate(rate: number): string {
  return rateFormat.value.format(rate);
}

/** Hours, minutes and seconds in the viewer's time zone. */
export function formatClock(time: Date): string {
  return clockFormat.value.format(time);
}
