import { Problem } from '@engawa/errors';

/** What is wrong with one operation (from 0), said of the body that has all of them. */
export function ofOperation(index: number, error: unknown): unknown {
  if (!(error instanceof Problem) || error.faults.length === 0) return error;
  const path = `body.operations[${index}]`;
  const faults = error.faults.map((fault) => ({
    ...fault,
    path: fault.path.replace(/^body\b/, path),
  }));
  const message = error.message.replace(/^body\b/, path);
  return new Problem(error.code, message, { faults, cause: error });
}
