import { Problem } from '@engawa/errors';
import type { FieldError } from '@engawa/errors';

/** A body of 1 MB may have a hundred thousand invalid fields; only these are reported. */
const maxFieldErrors = 100;

/** A Problem `invalid-request` whose detail names the first three errors. */
export function invalidRequest(fieldErrors: FieldError[]): Problem {
  const named = fieldErrors.slice(0, 3).map(({ path, message }) => `${path} ${message}`);
  const more = fieldErrors.length > 3 ? [`and ${fieldErrors.length - 3} more`] : [];
  return new Problem('invalid-request', `${[...named, ...more].join('; ')}.`, {
    fieldErrors: fieldErrors.slice(0, maxFieldErrors),
  });
}
