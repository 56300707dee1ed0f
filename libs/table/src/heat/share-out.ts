import { started, unitsBySize } from '../items/charged-part.ts';
import type { Charges, Part } from '../items/charged-part.ts';

/**
 * How much of the units that DynamoDB reports for one index each of the parts took, which it does not say: all of them the
 * least that there is, and what goes beyond that by the units that their bytes begin after the first.
 */
export function shareOut(units: number, { unit, least, parts }: Charges): number[] {
  if (parts.length === 1) return [units];
  const each = Math.min(least, units / parts.length);
  const rest = units - each * parts.length;
  // Nearly always: so that nobody need look at sizes.
  if (rest <= 0) return parts.map(() => each);
  const beyond = parts.map((part) => started(unit, part.bytes ?? part.size()) - 1);
  const sum = beyond.reduce((total, one) => total + one, 0);
  return beyond.map((one) => each + rest * (sum === 0 ? 1 / parts.length : one / sum));
}

/**
 * What of an index's units is theirs where other parts of the request may be in it by keys that we do not know: no more
 * than their sizes tell. The rest is nobody's.
 */
export function capped(units: number, charges: Charges): number {
  const most = charges.parts.reduce((sum, part: Part) => sum + unitsBySize(part, charges), 0);
  return Math.min(units, most);
}
