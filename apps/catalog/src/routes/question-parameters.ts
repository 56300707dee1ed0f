import { idSchema } from '@engawa/model';
import { z } from 'zod';

/** The name of a search or ranking in a path. */
export function searchName(kind: 'search' | 'ranking') {
  return idSchema('name').describe(`The name of the ${kind}, percent-encoded.`);
}

/** `true` or `false`, by default `false`. */
export function wholeParameter(purpose: string) {
  return z
    .enum(['true', 'false'])
    .prefault('false')
    .transform((given) => given === 'true')
    .describe(purpose);
}
