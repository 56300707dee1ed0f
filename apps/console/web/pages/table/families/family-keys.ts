import type { query } from '@engawa/client';

export type Family = query.GetTableFamiliesOutput['items'][number];

/** The part of a key's form before the first id: what a request for its items begins with. */
export function fixedBeginning(form: string): string {
  return form.replace(/[<[].*$/s, '');
}

/** Whether a family's keys, kinds or meaning contain all words of a text. */
export function matchesFamily(family: Family, text: string): boolean {
  const { name, index, pk, sk, kinds, meaning, writtenBy } = family;
  const all = [name, index, pk, sk, ...kinds, meaning, ...writtenBy].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
