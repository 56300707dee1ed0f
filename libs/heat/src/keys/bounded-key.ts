import { createHash } from 'node:crypto';

/**
 * UTF-16 units. Every key of Engawa is shorter: `A#<type>#<ranking>#<id>#<period>#<shard>` has at most 786, with names
 * of 128 escaped characters.
 */
const maxLength = 790;

const prefixLength = 400;
const hexDigits = 32;

/** The key, or for a very long one its beginning and a hash, so that memory is bounded. */
export function boundedKey(key: string): string {
  return key.length <= maxLength ? key : shortened(key);
}

function shortened(key: string): string {
  const hash = createHash('sha256').update(key).digest('hex').slice(0, hexDigits);
  // The prefix must not end within an escape or a surrogate pair: it has to stay a readable key.
  const beginning = key.slice(0, prefixLength).replace(/\$+$/, '').toWellFormed();
  return `${beginning}~${hash}`;
}
