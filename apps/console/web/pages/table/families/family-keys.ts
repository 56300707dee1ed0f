import type { query } from '@engawa/client';

export type Family = query.GetTableFamiliesOutput['items'][number];

/** The part of a key's form before the first id: what a request for its items begins with. */
export function fixedBeginning(form: string): string {
  return form.replace(/[<[].*$/s, '');
}

/**
 * Whether a family's keys, kinds or meaning contain all words of a text.
 * @param translated the meaning in the user's language
 */
export function matchesFamily(family: Family, text: string, translated = ''): boolean {
  const { name, index, pk, sk, kinds, meaning, writtenBy } = family;
  const names = [name, index, pk, sk, ...kinds, ...writtenBy];
  const all = [...names, meaning, translated].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
