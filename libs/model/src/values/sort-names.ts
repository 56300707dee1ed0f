import { invariant } from '@engawa/errors';

/** Names up to this number are sorted by insertion. */
const few = 16;

const within = 'the index is within the names';

/** Sorts names in place, as `sort` does, which allocates more than the few names of a reading themselves. */
export function sortNames(names: string[]): string[] {
  if (names.length > few) return names.sort();
  for (let index = 1; index < names.length; index++) {
    const name = invariant(names[index], within);
    let place = index;
    for (; place > 0; place--) {
      const before = invariant(names[place - 1], within);
      if (before <= name) break;
      names[place] = before;
    }
    names[place] = name;
  }
  return names;
}
