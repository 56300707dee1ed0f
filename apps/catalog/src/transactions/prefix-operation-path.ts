import { Problem } from '@engawa/errors';
import { prefixErrorPaths } from '../entities/content/prefix-error-paths.ts';
import type { ProblemCode } from '@engawa/errors';

/** Refusals of one operation that concern no part of it. */
const wholeOperation: ReadonlySet<ProblemCode> = new Set([
  'entity-not-found',
  'type-not-found',
  'type-changing',
  'already-exists',
  'version-mismatch',
  'still-related',
]);

/**
 * Moves the paths of an error from one operation (from 0) to the body of the transaction. An error without paths, such
 * as that of a missing entity, gets that of the operation.
 */
export function prefixOperationPath(index: number, error: unknown): unknown {
  const path = `body.operations[${index}]`;
  const isWhole = error instanceof Problem && wholeOperation.has(error.code);
  if (!isWhole || error.fieldErrors.length > 0) return prefixErrorPaths(path, error);
  const message = error.message.replace(/\.$/, '');
  const fieldErrors = [{ path, message }];
  return new Problem(error.code, `${path}: ${error.message}`, { fieldErrors, cause: error });
}
