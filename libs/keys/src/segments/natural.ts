import { collated } from './collated.ts';

const digitRun = /0*(\d+)/g;
/** Digits of the length of a run: a name is shorter than a thousand characters. */
const lengthDigits = 3;

/**
 * Text in natural order: as collated, with numbers by their value, so that `Flat 2` comes before `Flat 10`. Only for
 * order, not for search: each run of digits is preceded by its length. Leading zeros do not count.
 */
export function natural(field: string, value: string): string {
  return collated(field, value).replaceAll(
    digitRun,
    (_, digits: string) => `${String(digits.length).padStart(lengthDigits, '0')}${digits}`,
  );
}
