import { invariant } from '@engawa/errors';

/** Names that are compared, and names of a suggestion. */
const maxCompared = 1000;
const maxSimilar = 3;

/** Letters that may be wrong, missing or too many; a longer name that contains the other one is similar as well. */
const maxDistance = 2;
const minContained = 4;

/** The known names that are most like a misspelt one, the most similar first. */
export function similarNames(misspelt: string, known: Iterable<string>): string[] {
  const wanted = plain(misspelt);
  const ranked: { name: string; distance: number }[] = [];
  for (const name of [...known].slice(0, maxCompared)) {
    const distance = distanceOf(wanted, plain(name));
    if (distance <= maxDistance + 1) ranked.push({ name, distance });
  }
  ranked.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return ranked.slice(0, maxSimilar).map(({ name }) => name);
}

/** Without case and separators: `power_total` is `powerTotal`. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s._-]/g, '');
}

function distanceOf(left: string, right: string): number {
  const [short, long] = left.length < right.length ? [left, right] : [right, left];
  if (long.length - short.length <= maxDistance) {
    const distance = editDistance(short, long);
    // Two letters of a short name are most of it.
    if (distance <= Math.min(maxDistance, Math.floor(long.length / 3))) return distance;
  }
  return short.length >= minContained && long.includes(short) ? maxDistance + 1 : Infinity;
}

const inside = 'a row has a distance for each beginning of the other text';

/** Letters to insert, remove or replace (Levenshtein). */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let index = 1; index <= left.length; index++) {
    const next = [index];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[index - 1] === right[column - 1];
      const replaced = invariant(row[column - 1], inside) + (isSame ? 0 : 1);
      const removed = invariant(row[column], inside) + 1;
      const inserted = invariant(next[column - 1], inside) + 1;
      next.push(Math.min(replaced, removed, inserted));
    }
    row = next;
  }
  return invariant(row.at(-1), inside);
}
