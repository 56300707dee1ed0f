import { collated } from '@engawa/keys';

/** A word of a question. */
export interface QueryWord {
  text: string;
  /** Whether words count that only begin with it. */
  prefix: boolean;
  /** Whether words may count that differ from it in one letter. */
  fuzzy: boolean;
}

/** UTF-16 units of a word that tell it from others. */
const maxWordLength = 64;
/** Of shorter words too many others are only one letter away. */
const minFuzzyLength = 5;

/**
 * Scripts that put no spaces between words; Hangul puts them, but joins so much to a word that it is found by its
 * parts.
 */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';
const character = '[\\p{L}\\p{M}\\p{N}]';
/** A run of characters of such scripts, or of others. Punctuation belongs to none, also that of these scripts. */
const runs = new RegExp(
  `(?<unspaced>[${character}&&[${unspaced}]]+)|[${character}--[${unspaced}]]+`,
  'gv',
);
const latin = /^[\p{Script=Latin}\p{M}]+$/v;
const marksOfLatin = /(?<=\p{Script=Latin}\p{M}*)\p{M}+/gv;

/**
 * The words by which a text is found, in their order, repeated where it repeats them: without regard to case, width and the
 * accents of Latin letters. Of a run without spaces (居間の照明) each two neighbours are a word, and so is the last
 * character, so that every character begins one.
 */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(({ text: run, isUnspaced }) => {
    if (!isUnspaced) return [run];
    const characters = Array.from(run);
    return characters.map((first, index) => first + (characters[index + 1] ?? ''));
  });
}

/**
 * The words that have to be in a text, each once. Of the last one, and of a character that stands alone, the beginning
 * is enough.
 */
export function queryWords(question: string): QueryWord[] {
  const all = runsOf(question);
  const words = all.flatMap(({ text: run, isUnspaced }, index): QueryWord[] => {
    const isLast = index === all.length - 1;
    if (!isUnspaced) {
      const fuzzy = run.length >= minFuzzyLength && latin.test(run);
      return [{ text: run, prefix: isLast, fuzzy }];
    }
    const characters = Array.from(run);
    if (characters.length === 1) return [{ text: run, prefix: true, fuzzy: false }];
    return characters.slice(1).map((second, at) => ({
      text: `${characters[at]}${second}`,
      prefix: false,
      fuzzy: false,
    }));
  });
  // Of two that are the same, the one that demands more stays: whoever has it has what begins with it too.
  const distinct = new Map<string, QueryWord>();
  for (const word of words) {
    const known = distinct.get(word.text);
    if (known === undefined || known.prefix) distinct.set(word.text, word);
  }
  return [...distinct.values()];
}

function runsOf(text: string): { text: string; isUnspaced: boolean }[] {
  const folded = collated('text', text.toWellFormed());
  return [...folded.matchAll(runs)].map(({ 0: run, groups }) =>
    groups?.['unspaced'] === undefined
      ? { text: cut(withoutAccents(run)), isUnspaced: false }
      : { text: run, isUnspaced: true },
  );
}

/** `café` and `cafe`; in other scripts a mark makes another letter. */
function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(marksOfLatin, '').normalize('NFC');
}

function cut(word: string): string {
  return word.length <= maxWordLength ? word : word.slice(0, maxWordLength).toWellFormed();
}
