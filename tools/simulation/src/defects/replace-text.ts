import type { Replacement } from './known-defect.ts';

/** @throws Error unless the text of each replacement occurs in the source exactly once */
export function replaceText(source: string, replacements: readonly Replacement[]): string {
  let replaced = source;
  for (const { file, text, by } of replacements) {
    const [before = '', after, ...more] = replaced.split(text);
    if (after === undefined || more.length > 0) {
      const count = after === undefined ? 0 : more.length + 1;
      throw new Error(`${file} has the text to replace ${count} times instead of once: ${text}`);
    }
    replaced = before + by + after;
  }
  return replaced;
}
