/**
 * Compares as DynamoDB orders strings: by UTF-8 bytes. JavaScript's own `<` compares UTF-16 units and
 * puts the supplementary characters (U+10000 and up) before U+E000 to U+FFFF.
 * @returns negative, 0 or positive, for well-formed strings
 */
export function compareBytes(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Lifts surrogates (U+D800 to U+DFFF), which stand for supplementary characters, above the rest of the BMP. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
