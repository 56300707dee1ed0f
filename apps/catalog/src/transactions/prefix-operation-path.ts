import { prefixErrorPaths } from '../entities/content/prefix-error-paths.ts';

/** Moves the paths of an error from one operation (from 0) to the body of the transaction. */
export function prefixOperationPath(index: number, error: unknown): unknown {
  return prefixErrorPaths(`body.operations[${index}]`, error);
}
