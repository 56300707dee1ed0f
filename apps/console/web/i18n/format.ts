import { computed, signal } from '@preact/signals';
import { language } from './language.ts';

/** The viewer's time zone, an IANA name. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A digit more than a household sensor has; the exact value is in the tooltip. */
const numberFormat = computed(
  () => new Intl.NumberFormat(language.value, { maximumSignificantDigits: 6 }),
);
const integerFormat = computed(
  () => new Intl.NumberFormat(language.value, { maximumFractionDigits: 0 }),
);
const timeFormat = computed(
  () => new Intl.DateTimeFormat(language.value, { hour: '2-digit', minute: '2-digit' }),
);
const dateTimeFormat = computed(
  () => new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'long' }),
);
const relativeFormat = computed(
  () => new Intl.RelativeTimeFormat(language.value, { numeric: 'auto', style: 'short' }),
);

/** Rounded to the digits that a display needs. */
export function formatNumber(value: number): string {
  const absolute = Math.abs(value);
  return (absolute >= 1e6 ? integerFormat : numberFormat).value.format(value);
}

export function formatInteger(value: number): string {
  return integerFormat.value.format(value);
}

/** Hour and minute in the viewer's time zone. */
export function formatTime(time: Date): string {
  return timeFormat.value.format(time);
}

/** Date and time with the name of the zone. */
export function formatDateTime(time: Date): string {
  return dateTimeFormat.value.format(time);
}

/** The time by which ages are shown, in epoch milliseconds; it moves every ten seconds. */
export const shownNow = signal(Date.now());
setInterval(() => (shownNow.value = Date.now()), 10_000);

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** `3 min. ago`. @param now epoch milliseconds */
export function formatAge(time: Date, now = shownNow.value): string {
  const ageMs = Math.max(0, now - time.getTime());
  const [unit, length] = steps.find(([, ms]) => ageMs >= ms) ?? steps[3];
  const count = Math.floor(ageMs / length);
  // Seconds change faster than the display.
  return relativeFormat.value.format(unit === 'second' ? 0 : -count, unit);
}
