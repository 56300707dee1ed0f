import { Problem } from '@engawa/errors';
import type { FieldError } from '@engawa/errors';

/** A Problem `invalid-request` whose detail has all field errors of a query. */
export function invalidQuery(errors: FieldError[]): Problem {
  const sentences = errors.map(({ path, message }) => `${path} ${message}`);
  return new Problem('invalid-request', `${sentences.join('; ')}.`, { fieldErrors: errors });
}

/** @throws Problem `invalid-request`, unless there are no errors; its detail has the first */
export function throwFieldErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new Problem('invalid-request', `${first.path} ${first.message}.`, {
    fieldErrors: [...errors],
  });
}
