import type { Replacement } from './known-defect.ts';

/** @throws Error where the text of a replacement is not in the source exactly once */
export function replaceText(source: string, replacements: readonly Replacement[]): string {
  let replaced = source;
  for (const { file, text, by } of replacements) {
    const [before = '', after, ...more] = replaced.split(text);
    if (after === undefined || more.length > 0) {
      const times = after === undefined ? 'not' : `${more.length + 1} times`;
      throw new Error(`the text to replace is ${times} in ${file}: ${text}`);
    }
    replaced = before + by + after;
  }
  return replaced;
}
