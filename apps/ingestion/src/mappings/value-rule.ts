import { exact, isNumberText, product } from '../decoders/quantities.ts';
import { Decimal } from '@engawa/model';
import type { FieldRule } from './mapping-document.ts';

/** Turns a value of the payload into that of the field; undefined: there is no value. */
export type ValueRule = (value: unknown) => unknown;

/** The steps of a field in their order: no value, words, number, scale. */
export function valueRule({ none, values, number, scale }: FieldRule): ValueRule {
  const steps: ValueRule[] = [];
  if (none !== undefined) steps.push(withoutCodes(none));
  if (values !== undefined) steps.push(words(new Map(Object.entries(values))));
  if (number !== undefined) steps.push(numberIn(number === true ? {} : number));
  if (scale !== undefined) steps.push(scaledBy(scale));
  const [only = unchanged] = steps;
  if (steps.length < 2) return only;
  return (value) => {
    let result = value;
    for (const step of steps) {
      if (result === undefined) return undefined;
      result = step(result);
    }
    return result;
  };
}

const unchanged: ValueRule = (value) => value;

function withoutCodes(codes: readonly unknown[]): ValueRule {
  const none = new Set(codes);
  return (value) => (none.has(value) ? undefined : value);
}

function words(meanings: ReadonlyMap<string, unknown>): ValueRule {
  return (value) => {
    if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number')
      return value;
    const word = String(value);
    return meanings.has(word) ? meanings.get(word) : value;
  };
}

/** A longer text is no number that can be stored, nor one with a unit. */
const maxNumberLength = 200;

function numberIn({
  decimal = '.',
  suffix = '',
}: {
  decimal?: string | undefined;
  suffix?: string | undefined;
}): ValueRule {
  return (value) => {
    if (typeof value !== 'string' || value.length > maxNumberLength) return value;
    const written = value.trim();
    const bare =
      suffix !== '' && written.endsWith(suffix)
        ? written.slice(0, -suffix.length).trimEnd()
        : written;
    // A point would be a separator of thousands where the comma is the decimal one.
    if (decimal === ',' && bare.includes('.')) return value;
    const text = withoutLeadingZeros(decimal === ',' ? bare.replace(',', '.') : bare);
    return isNumberText(text) ? exact(text) : value;
  };
}

/** Meters write `007881.115`. */
function withoutLeadingZeros(text: string): string {
  return text.replace(/^([-+]?)0+(?=\d)/, '$1').replace(/^\+/, '');
}

function scaledBy(factor: number): ValueRule {
  return (value) =>
    typeof value === 'number' || value instanceof Decimal ? product(value, factor) : value;
}
