import type { TableRow } from './audit-table.ts';

/**
 * Checks that each value of a unique attribute is claimed by its entity only: a value has one item,
 * so no two entities can share it.
 * @returns the inconsistencies
 */
export function auditUnique(rows: readonly TableRow[], attribute: string): string[] {
  const owners = new Map<string, unknown>();
  const values = new Map<string, unknown>();
  for (const { key, item } of rows) {
    if (key.item === 'uniqueValue') owners.set(claim(key.type, item['value']), item['owner']);
    if (key.item !== 'entity') continue;
    const { attributes } = (item['data'] ?? {}) as { attributes?: Record<string, unknown> };
    const value = attributes?.[attribute];
    if (value !== undefined) values.set(`${key.type}/${key.id}`, claim(key.type, value));
  }
  const left = [...owners].flatMap(([value, owner]) => {
    const name = `${value.slice(0, value.indexOf('/'))}/${String(owner)}`;
    return values.get(name) === value ? [] : [`${name} claims ${value}, which it does not have`];
  });
  const unclaimed = [...values].flatMap(([name, value]) => {
    return owners.has(String(value)) && name.endsWith(`/${String(owners.get(String(value)))}`)
      ? []
      : [`${name} has ${String(value)}, which it does not claim`];
  });
  return [...left, ...unclaimed];
}

const claim = (type: string, value: unknown): string => `${type}/${String(value)}`;
