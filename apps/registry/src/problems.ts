import { Problem } from '@engawa/errors';
import type { Device } from '@engawa/model';

/** Names the device in the problem `too-many-conflicts`. */
export function deviceTitle(id: string): string {
  return `the device ${JSON.stringify(id)}`;
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
