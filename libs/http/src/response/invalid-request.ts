import { Problem } from '@engawa/errors';
import type { FieldError } from '@engawa/errors';

/** A body of 1 MB may have a hundred thousand fieldErrors; nobody reads more than these. */
const maxFieldErrors = 100;

export function invalid(fieldErrors: FieldError[]): Problem {
  const named = fieldErrors.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = fieldErrors.length > 3 ? [`and ${fieldErrors.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    fieldErrors: fieldErrors.slice(0, maxFieldErrors),
  });
}
