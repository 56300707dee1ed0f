import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';

/** Translates a KeyError of a value that cannot be searched to a Problem naming its path in the body. */
export async function withKeyProblem<Result>(
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const fieldErrors = [{ path: `body.${error.field}`, message: error.reason }];
    const detail = `body.${error.field} ${error.reason}.`;
    throw new Problem('invalid-request', detail, { fieldErrors, cause: error });
  }
}
