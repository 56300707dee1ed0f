import { KeyError } from '@engawa/keys';

/** What is wrong with one value, as the second half of a sentence. */
export class ValueFault extends Error {}

/** @throws ValueFault where the check throws a KeyError */
export function keyed<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof KeyError) throw new ValueFault(error.reason);
    throw error;
  }
}
