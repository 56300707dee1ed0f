import type { Column } from '@engawa/http';
import type { EntityType } from '@engawa/model';

export function columnsOf(...names: string[]): Column[] {
  return names.map((name) => ({ name, of: (row) => row[name] }));
}

/** A column for each attribute and each relation to one that the type has when the list begins. */
export function entityColumns(
  { attributes, relations }: EntityType,
  fields?: readonly string[],
): Column[] {
  const isGiven = ({ name }: { name: string }) => fields === undefined || fields.includes(name);
  const ones = relations.filter((relation) => !relation.many && isGiven(relation));
  return [
    ...columnsOf('id'),
    ...attributes.filter(isGiven).map(({ name }) => inside('attributes', name)),
    ...ones.map(({ name }) => inside('relations', name)),
    ...columnsOf('createdAt', 'updatedAt', 'version'),
  ];
}

/** Through a Map: the name may be that of a built-in property of objects, such as `constructor`. */
function inside(part: string, name: string): Column {
  return {
    name: `${part}.${name}`,
    of: (row) => new Map(Object.entries(row[part] as Record<string, unknown>)).get(name),
  };
}
