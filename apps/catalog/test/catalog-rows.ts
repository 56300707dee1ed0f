import type { Catalog } from './catalog.ts';

export type Row = Record<string, unknown>;

/** These types and their entities, without automatic properties. */
export async function contentOf(
  catalog: Catalog,
  names: readonly string[],
): Promise<{ types: Row[]; entities: Row[] }> {
  const all = await itemsOf(catalog, '/v1/types');
  const types = all.filter(({ name }) => names.includes(String(name)));
  const entities = [];
  for (const { name } of types) {
    const path = `/v1/entities/${encodeURIComponent(String(name))}?whole=true`;
    entities.push(...(await itemsOf(catalog, path)));
  }
  const kept = new Set(['createdAt', 'changedAt', 'updatedAt', 'version']);
  const without = (row: Row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !kept.has(name)));
  const automatic = new Set(
    types.flatMap(({ attributes }) =>
      (attributes as Row[]).flatMap((one) => (one['automatic'] === undefined ? [] : [one['name']])),
    ),
  );
  const given = ({ attributes, ...entity }: Row): Row => {
    const own = Object.entries(attributes as Row).filter(([name]) => !automatic.has(name));
    return { ...without(entity), attributes: Object.fromEntries(own) };
  };
  return { types: types.map(without), entities: entities.map(given).toSorted(byName) };
}

const nameOf = (row: Row) => JSON.stringify([row['type'], row['id']]);
const byName = (one: Row, other: Row) => (nameOf(one) < nameOf(other) ? -1 : 1);

/** Numbers as texts, so that all digits are compared. */
export async function itemsOf(catalog: Catalog, path: string): Promise<Row[]> {
  const items: Row[] = [];
  let cursor = '';
  do {
    const { body } = await catalog.ask(
      `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`,
    );
    const page = body as { items: Row[]; cursor?: string };
    items.push(...page.items);
    cursor = page.cursor === undefined ? '' : `&cursor=${encodeURIComponent(page.cursor)}`;
  } while (cursor !== '');
  return items;
}
