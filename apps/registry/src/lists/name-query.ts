import { byteLength, namePrefix as sortKeyPrefix } from '@engawa/keys';
import { z } from 'zod';
import { maxNameLength } from '../display-name.ts';

/**
 * The prefix parameter of a list by name. `idsBehind` is the number of ids after the name in the
 * sort key. Each may take 128 characters of 3 bytes and a separator of the key's 1,024 bytes. A
 * longer prefix would miss names that were truncated.
 */
export function namePrefixParameter({ idsBehind }: { idsBehind: number }) {
  const maxBytes = 1024 - idsBehind * (1 + 3 * 128);
  return z
    .string()
    .min(1)
    .max(maxNameLength)
    .refine(
      (prefix) => byteLength(sortKeyPrefix(prefix)) <= maxBytes,
      `must have at most ${maxBytes} bytes after case and width folding`,
    )
    .optional()
    .describe('The prefix of the name, ignoring case and width.');
}

export const ignoreAccentsParameter = z
  .enum(['true', 'false'])
  .default('false')
  .transform((given) => given === 'true')
  .describe(
    'With `true`, the accents of Latin letters do not count in `namePrefix`: `cafe` finds Café. A page then reads all names with the first letter of the prefix, and all that begin with an accented letter: about 21 read units per 1,000; it may be short and still have a cursor.',
  );
