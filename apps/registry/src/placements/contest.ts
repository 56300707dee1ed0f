import { Problem } from '@engawa/errors';
import type { Device } from '@engawa/model';

/** Times that somebody else may change a device between two of our looks at it: each time it was they who got on. */
export const mostAttempts = 20;

export function contested(id: string): Problem {
  return new Problem(
    'table-throttled',
    `Others change the device ${JSON.stringify(id)} faster than it can be followed.`,
  );
}

export function deviceNotFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

export function deviceVersionMismatch({ id, version }: Device): Problem {
  return new Problem(
    'version-mismatch',
    `The device ${JSON.stringify(id)} has version ${version} by now.`,
  );
}
