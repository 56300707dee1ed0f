import { collated, withoutAccents } from '@engawa/keys';

/** A word of a search. */
export interface QueryWord {
  text: string;
  /** Whether it matches as a prefix. */
  prefix: boolean;
  /** Whether it may match words that differ in one letter. */
  fuzzy: boolean;
}

/** UTF-16 units; longer words are truncated. */
const maxWordLength = 64;
/** Letters; shorter words differ from too many others in only one letter. */
const minFuzzyLength = 5;

/**
 * Scripts without spaces between words; Hangul has them, but attaches so much to a word that it is
 * searched by parts.
 */
const unspaced =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';
const character = '[\\p{L}\\p{M}\\p{N}]';
/** A run of characters of these scripts, or of others. Punctuation belongs to neither. */
const runs = new RegExp(
  `(?<unspaced>[${character}&&[${unspaced}]]+)|[${character}--[${unspaced}]]+`,
  'gv',
);
const latin = /^[\p{Script=Latin}\p{M}]+$/v;

/**
 * The words of a text, in order and with repetitions, regardless of case, width and accents of Latin letters. In a run
 * without spaces (居間の照明) each two adjacent characters are a word, and so is the last character, so that every character
 * begins a word.
 */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(({ text: run, isUnspaced }) => {
    if (!isUnspaced) return [run];
    const characters = Array.from(run);
    return characters.map((first, index) => first + (characters[index + 1] ?? ''));
  });
}

/**
 * The distinct words of a search. The last one, and a single character of a script without spaces,
 * match as prefixes.
 */
export function queryWords(query: string): QueryWord[] {
  const all = runsOf(query);
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
  // Of two equal words, the exact one is kept: a text with the exact word matches its prefix, too.
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

function cut(word: string): string {
  return word.length <= maxWordLength ? word : word.slice(0, maxWordLength).toWellFormed();
}
