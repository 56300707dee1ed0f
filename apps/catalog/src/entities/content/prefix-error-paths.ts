import { Problem } from '@engawa/errors';

/**
 * Moves the paths of a Problem from `body` to the field of the request with that body, such as `body.operations[0]` or
 * `query`.
 */
export function prefixErrorPaths(field: string, error: unknown): unknown {
  if (!(error instanceof Problem) || error.fieldErrors.length === 0) return error;
  const fieldErrors = error.fieldErrors.map((fieldError) => ({
    ...fieldError,
    path: fieldError.path.replace(/^body\b/, field),
  }));
  const message = error.message.replace(/^body\b/, field);
  return new Problem(error.code, message, { fieldErrors, cause: error });
}
