import { ExactSum, parseNumber } from '@engawa/model';
import { ValueError } from './value-error.ts';
import type { ExactNumber } from '@engawa/model';

/** @throws ValueError where the sum cannot be stored */
export function exactSum(current: ExactNumber, by: ExactNumber): ExactNumber {
  try {
    return parseNumber(String(new ExactSum().add(current).add(by).value));
  } catch (error) {
    if (error instanceof RangeError) throw new ValueError(`would be ${error.message}`);
    throw error;
  }
}
