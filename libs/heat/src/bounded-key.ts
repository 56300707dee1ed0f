import { createHash } from 'node:crypto';

/**
 * UTF-16 units. No key that Engawa makes is longer: `A#<type>#<ranking>#<id>#<shard>` has at most 775, with names of 128
 * characters that all have to be escaped.
 */
const longest = 780;

const kept = 400;
const hexDigits = 32;

/** What a key is kept under, so that memory stays bounded: a very long one by its beginning and a hash of the whole. */
export function boundedKey(key: string): string {
  return key.length <= longest ? key : shortened(key);
}

function shortened(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, hexDigits);
  // Neither half an escape nor half a character at the end of what is kept: what reads keys may go on doing so.
  const beginning = key.slice(0, kept).replace(/\$+$/, '').toWellFormed();
  return `${beginning}~${hash}`;
}
