/** How partition keys are shown to people: as they are, with a hash in place of what names somebody's thing, or by their family alone. */
export const keyNamings = ['shown', 'hashed', 'hidden'] as const;
export type KeyNaming = (typeof keyNamings)[number];

export interface KeyNamerOptions {
  naming: KeyNaming;
  /** Makes hashes that nobody can guess the key of; the same for all who are to give the same names. */
  secret: string;
}

/** A function from partition keys to names. */
export type KeyNamer = (index: string, partition: string) => string;

export function keyNamer(_options: KeyNamerOptions): KeyNamer {
  return (_index, partition) => partition;
}
