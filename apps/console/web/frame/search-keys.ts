import { api } from '../api/client.ts';
import { shared } from '../i18n/shared.ts';
import type { query } from '@engawa/client';
import type { SearchResult } from './search-result.ts';

type Family = query.GetTableFamiliesOutput['items'][number];

/** Partition keys begin with a segment in capital letters: `DEVICE#a`, `E#song#1`, `SHARDS`. */
const keyForm = /^[A-Z][A-Z0-9]*(?:#|$)/;

let families: Promise<readonly Family[]> | undefined;

/** The families do not change while the page is open; a failed request is repeated. */
function loadFamilies(): Promise<readonly Family[]> {
  families ??= api.query.getTableFamilies({}).then(
    ({ body }) => body.items,
    (error: unknown) => {
      families = undefined;
      throw error;
    },
  );
  return families;
}

/** The text as a partition key of the table or of an index, if its beginning is that of a key family. */
export async function searchKeys(text: string): Promise<SearchResult[]> {
  if (!keyForm.test(text)) return [];
  const known = await loadFamilies();
  const indexes = new Map<string, string>();
  for (const { pk, index, name } of known) {
    if (isKeyOf(pk, text) && !indexes.has(index)) indexes.set(index, name);
  }
  return [...indexes].map(([index, name]) => ({
    name: text,
    detail: [shared.value.search.key, index, name].join(' · '),
    address: `/table?${new URLSearchParams({ view: 'items', index, pk: text }).toString()}`,
  }));
}

/** Whether a key has the fixed beginning of a form, such as `DEVICE#` of `DEVICE#<device>[#<shard>]`. */
export function isKeyOf(form: string, key: string): boolean {
  const beginning = form.replace(/[<[].*$/s, '');
  return beginning === form ? key === form : key.startsWith(beginning) && key !== beginning;
}
