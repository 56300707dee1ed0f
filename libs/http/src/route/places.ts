/** The places that a caller may see and change (docs/adr/0041). */
export interface Places {
  /** False where that is all of them, and what is at no place. */
  readonly isRestricted: boolean;
  /** Whether the place is one of them; a caller who is restricted has nothing that is at no place. */
  allows(place: string | undefined): boolean;
}

export const allPlaces: Places = { isRestricted: false, allows: () => true };

const wildcard = '*';

/** Those of a list of ids and patterns (`home-*`, where a star stands for any text); a star alone is no restriction. */
export function placesOf(patterns: readonly string[]): Places {
  if (patterns.includes(wildcard)) return allPlaces;
  const fits = patterns.map(matcher);
  return {
    isRestricted: true,
    allows: (place) => place !== undefined && fits.some((each) => each(place)),
  };
}

/** In time linear in the id for each part, whatever the pattern: the issuer of tokens may take it from a user. */
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
