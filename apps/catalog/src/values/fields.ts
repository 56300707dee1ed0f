import { repeatedParameter } from '@engawa/http';
import { idSchema } from '@engawa/model';
import type { z } from 'zod';
import { invalidQuery } from './invalid-request.ts';
import type { EntityType } from '@engawa/model';
import type { Path } from '@engawa/table';

/** Names of the attributes and relations to return, besides type, id, times and version. */
export type Fields = ReadonlySet<string>;

const maxFields = 100;

const purpose =
  'Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others.';

export const fieldsQuery = {
  fields: repeatedParameter(idSchema('field'), { maximum: maxFields }).optional().describe(purpose),
};

interface FieldsQuery {
  fields?: readonly string[] | undefined;
  whole?: boolean;
}

/** For a list that returns entities only with `whole`. */
export function refuseFieldsWithoutWhole(query: FieldsQuery, context: z.RefinementCtx): void {
  if (query.fields === undefined || query.whole === true) return;
  context.addIssue({ code: 'custom', path: ['fields'], message: 'requires whole=true' });
}

/** @throws Problem `invalid-request` where the type has no such field */
export function checkFields(type: EntityType, { fields }: FieldsQuery): Fields | undefined {
  if (fields === undefined) return undefined;
  const known = new Set([...type.attributes, ...type.relations].map(({ name }) => name));
  const fieldErrors = fields.flatMap((name, index) => {
    const message = `must be an attribute or a relation of ${type.name}`;
    return known.has(name) || type.additional === true
      ? []
      : [{ path: `query.fields[${index}]`, message }];
  });
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  return new Set(fields);
}

/** The document paths of the fields in an entity's item, and of the properties that every response has. */
export function fieldPaths(fields: Fields): Path[] {
  return [
    ...['pk', 'sk', 'version', 'creation', 'settles', 'gone'],
    ...['createdAt', 'updatedAt'].map((name) => ['data', name]),
    ...[...fields].flatMap((name) => [
      ['data', 'attributes', name],
      ['data', 'sets', name],
      ['data', 'one', name],
    ]),
  ];
}

/** The entries with these names; without fields, all. */
export function onlyFields<Value>(
  values: ReadonlyMap<string, Value>,
  fields: Fields | undefined,
): ReadonlyMap<string, Value> {
  return fields === undefined ? values : new Map([...values].filter(([name]) => fields.has(name)));
}
