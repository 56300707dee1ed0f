import { KeyError } from '@engawa/keys';

/** What is wrong with one value: the predicate of a sentence whose subject is its path. */
export class ValueError extends Error {}

/** @throws ValueError where the check throws a KeyError */
export function asValueError<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof KeyError) throw new ValueError(error.reason);
    throw error;
  }
}
