import { Problem } from '@engawa/errors';
import type { FieldError } from '@engawa/errors';

/** A body of 1 MB may have a hundred thousand faults; nobody reads more than these. */
const mostFaults = 100;

export function invalid(faults: FieldError[]): Problem {
  const named = faults.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = faults.length > 3 ? [`and ${faults.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    faults: faults.slice(0, mostFaults),
  });
}
