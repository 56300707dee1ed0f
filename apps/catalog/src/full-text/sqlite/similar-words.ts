/** Characters of Latin index words: letters after folding of case and accents (words.ts), and digits. */
const letters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789æœøłđðþŧħŋ');

/** All words at edit distance 1: one letter replaced, added or missing. About 900 for a word of nine letters. */
export function wordsOneLetterAway(word: string): string[] {
  const characters = Array.from(word);
  const found = new Set<string>();
  for (let at = 0; at <= characters.length; at++) {
    const before = characters.slice(0, at).join('');
    const after = characters.slice(at + 1).join('');
    const rest = characters.slice(at).join('');
    if (at < characters.length) found.add(before + after);
    for (const letter of letters) {
      found.add(before + letter + rest);
      if (at < characters.length) found.add(before + letter + after);
    }
  }
  found.delete(word);
  return [...found];
}
