import { includedNames } from '../../queries/included/include.ts';
import type { Column } from '@engawa/http';
import type { EntityType } from '@engawa/model';
import type { IncludedEntity } from '../../queries/included/read-included.ts';

export function columnsOf(...names: string[]): Column[] {
  return names.map((name) => ({ name, of: (row) => row[name] }));
}

interface ColumnsQuery {
  fields?: readonly string[] | undefined;
  include?: readonly string[] | undefined;
}

/** A column for each attribute and each relation to one that the type has when the list begins. */
export function entityColumns(
  { attributes, relations }: EntityType,
  { fields, include = [] }: ColumnsQuery,
): Column[] {
  const isGiven = ({ name }: { name: string }) => fields === undefined || fields.includes(name);
  const ones = relations.filter((relation) => !relation.many && isGiven(relation));
  return [
    ...columnsOf('id'),
    ...attributes.filter(isGiven).map(({ name }) => inside('attributes', name)),
    ...ones.map(({ name }) => inside('relations', name)),
    ...columnsOf('createdAt', 'updatedAt', 'version'),
    ...includedColumns(include),
  ];
}

function inside(part: string, name: string): Column {
  return {
    name: `${part}.${name}`,
    of: (row) => valueIn(row[part] as Record<string, unknown>, name),
  };
}

/** A column for each included attribute, and after those of a relation the reason why they are missing. */
function includedColumns(include: readonly string[]): Column[] {
  const byRelation = Map.groupBy(includedNames(include), ({ relation }) => relation);
  return [...byRelation].flatMap(([relation, names]) => [
    ...names.map(({ attribute }) => ({
      name: `included.${relation}.${attribute}`,
      of: (row: Row) => valueIn(includedIn(row, relation)?.attributes, attribute),
    })),
    {
      name: `included.${relation}.missing`,
      of: (row: Row) => includedIn(row, relation)?.missing,
    },
  ]);
}

type Row = Record<string, unknown>;

function includedIn({ included }: Row, relation: string): IncludedEntity | undefined {
  return valueIn(included as Record<string, IncludedEntity> | undefined, relation);
}

/** Through a Map: the name may be that of a built-in property of objects, such as `constructor`. */
function valueIn<Value>(
  values: Record<string, Value> | undefined,
  name: string,
): Value | undefined {
  return values && new Map(Object.entries(values)).get(name);
}
