import { unitsBySize, unitsOfBytes } from '../items/charged-part.ts';
import type { RequestCharges } from '../items/charged-part.ts';

/**
 * Distributes the units that DynamoDB reports for one index over the parts of the request: each part gets the minimum,
 * and the rest is divided in proportion to the further units of the parts' sizes.
 */
export function distributeUnits(
  units: number,
  { unit, minUnits, parts }: RequestCharges,
): number[] {
  if (parts.length === 1) return [units];
  const each = Math.min(minUnits, units / parts.length);
  const rest = units - each * parts.length;
  // The usual case, which needs no size.
  if (rest <= 0) return parts.map(() => each);
  const further = parts.map((part) => unitsOfBytes(unit, part.bytes ?? part.size()) - 1);
  const sum = further.reduce((total, one) => total + one, 0);
  return further.map((one) => each + rest * (sum === 0 ? 1 / parts.length : one / sum));
}

/**
 * Maximum units of the index that these parts can have consumed by their sizes. Other parts of the request, under
 * unknown keys, consumed the rest, which is attributed to no key.
 */
export function capBySize(units: number, charges: RequestCharges): number {
  const max = charges.parts.reduce((sum, part) => sum + unitsBySize(part, charges), 0);
  return Math.min(units, max);
}
