import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';

/** A value that cannot be searched as it is, said of the body that it came from. */
export async function described<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const faults = [{ path: `body.${error.field}`, message: error.reason }];
    const detail = `body.${error.field} ${error.reason}.`;
    throw new Problem('invalid-request', detail, { fieldErrors: faults, cause: error });
  }
}
