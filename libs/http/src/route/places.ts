/** The places that a caller may access (docs/adr/0041). */
export interface Places {
  /** False where the caller may access all places, and resources without a place. */
  readonly isRestricted: boolean;
  /** Whether the caller may access the place; a restricted caller may not access resources without a place. */
  allows(place: string | undefined): boolean;
}

export const allPlaces: Places = { isRestricted: false, allows: () => true };

const wildcard = '*';

/** Places by ids and patterns (`home-*`, where the star matches any text); a star alone matches all places. */
export function placesOf(patterns: readonly string[]): Places {
  if (patterns.includes(wildcard)) return allPlaces;
  const fits = patterns.map(matcher);
  return {
    isRestricted: true,
    allows: (place) => place !== undefined && fits.some((each) => each(place)),
  };
}

/** Matches in time linear in the id for each part of the pattern: users may have chosen the pattern. */
function matcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.normalize('NFC').split(wildcard);
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let position = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, position);
      if (found === -1) return false;
      position = found + part.length;
    }
    return position <= end;
  };
}
