import { byteLength, namePrefix as sortKeyPrefix } from '@engawa/keys';
import { z } from 'zod';
import { longestName } from '../devices/device-schemas.ts';

/**
 * The parameter of a list by name. `idsBehind` is how many ids stand behind the name in the sort key: each may take 128
 * characters of 3 bytes and a separator of its 1,024 bytes. Behind a longer prefix a name that was cut would be missed.
 */
export function namePrefixParameter({ idsBehind }: { idsBehind: number }) {
  const longest = 1024 - idsBehind * (1 + 3 * 128);
  return z
    .string()
    .min(1)
    .max(longestName)
    .refine(
      (prefix) => byteLength(sortKeyPrefix(prefix)) <= longest,
      `must have at most ${longest} bytes without regard to case and width`,
    )
    .optional()
    .describe('What the name begins with, without regard to case and width.');
}
