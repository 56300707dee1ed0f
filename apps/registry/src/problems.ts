import { Problem } from '@engawa/errors';
import type { Device } from '@engawa/model';

/** Attempts of an optimistic write. Each failed attempt means that another client's write succeeded. */
export const maxAttempts = 20;

export function tooManyConflicts(id: string): Problem {
  return new Problem(
    'table-throttled',
    `Too many concurrent changes of the device ${JSON.stringify(id)}.`,
  );
}

export function deviceNotFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

export function deviceVersionMismatch({ id, version }: Device): Problem {
  return new Problem(
    'version-mismatch',
    `The device ${JSON.stringify(id)} has version ${version} now.`,
  );
}
