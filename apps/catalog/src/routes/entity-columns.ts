import type { Column } from '@engawa/http';

export function columnsOf(...names: string[]): Column[] {
  return names.map((name) => ({ name, of: (row) => row[name] }));
}

/** What a type has may change while it is read, so its attributes and relations are a column each, as JSON. */
export const entityColumns = columnsOf(
  ...['id', 'attributes', 'relations', 'createdAt', 'updatedAt', 'version'],
);
