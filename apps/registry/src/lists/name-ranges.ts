import {
  collated,
  compareBytes,
  decodeTuple,
  namePrefix as sortKeyPrefix,
  withoutAccents,
} from '@engawa/keys';

/** Sort keys of names; both bounds are inclusive. */
export interface NameRange {
  from: string;
  to: string;
}

/** Above every character in byte order. */
const last = '\u{10ffff}';
/** The first letters that have an accent (Latin-1 to Extended-B, Extended Additional), up to the next block. */
const accented: readonly NameRange[] = [
  { from: '\u00c0', to: '\u0250' },
  { from: '\u1e00', to: '\u1f00' },
];

/** The names with this prefix. */
export function namesWith(prefix: string): { beginsWith: string } {
  return { beginsWith: sortKeyPrefix(prefix) };
}

/**
 * Ranges in order, without overlap, that contain every name with this prefix if accents are ignored: names with its
 * first letter, and names that begin with an accented Latin letter.
 */
export function unaccentedRanges(prefix: string): NameRange[] {
  const [first = ''] = foldName(prefix);
  const isAccented = accented.some(({ from, to }) => from <= first && first < to);
  const from = sortKeyPrefix(first);
  const own = isAccented ? [] : [{ from, to: `${from}${last}` }];
  const others = /\p{Script=Latin}/v.test(first) ? accented : [];
  return [...own, ...others].sort((one, other) => compareBytes(one.from, other.from));
}

/** Whether a sort key is that of a name with this prefix. */
export function hasPrefix(prefix: string, ignoreAccents = false): (sortKey: string) => boolean {
  if (!ignoreAccents) {
    const beginning = sortKeyPrefix(prefix);
    return (sortKey) => sortKey.startsWith(beginning);
  }
  const folded = foldName(prefix);
  return (sortKey) => foldName(decodeTuple(sortKey)[0]).startsWith(folded);
}

export function foldName(name: string): string {
  return withoutAccents(collated('name', name));
}
