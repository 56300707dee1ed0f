import { repeatedParameter } from '@engawa/http';
import { idSchema } from '@engawa/model';
import type { z } from 'zod';
import { invalidQuery } from './invalid-request.ts';
import type { EntityType } from '@engawa/model';
import type { Path } from '@engawa/table';

/** Names of attributes and relations: what is given of an entity beside its type, id, times and version. */
export type Fields = ReadonlySet<string>;

const maxFields = 100;

const purpose =
  'Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away.';

export const fieldsQuery = {
  fields: repeatedParameter(idSchema('field'), { maximum: maxFields }).optional().describe(purpose),
};

interface Asked {
  fields?: readonly string[] | undefined;
  whole?: boolean;
}

/** For a list that gives entities with `whole` alone. */
export function refuseFieldsWithoutWhole(asked: Asked, context: z.RefinementCtx): void {
  if (asked.fields === undefined || asked.whole === true) return;
  context.addIssue({ code: 'custom', path: ['fields'], message: 'must come with whole=true' });
}

/** @throws Problem `invalid-request` where the type has no such field */
export function fieldsOf(type: EntityType, { fields }: Asked): Fields | undefined {
  if (fields === undefined) return undefined;
  const known = new Set([...type.attributes, ...type.relations].map(({ name }) => name));
  const faults = fields.flatMap((name, index) => {
    const message = `must be an attribute or a relation of ${type.name}`;
    return known.has(name) || type.additional === true
      ? []
      : [{ path: `query.fields[${index}]`, message }];
  });
  if (faults.length > 0) throw invalidQuery(faults);
  return new Set(fields);
}

/** Where these are in an entity's item, with all that every answer has. */
export function pathsOf(fields: Fields): Path[] {
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

/** The entries of that name; all of them without fields. */
export function onlyFields<Value>(
  values: ReadonlyMap<string, Value>,
  fields: Fields | undefined,
): ReadonlyMap<string, Value> {
  return fields === undefined ? values : new Map([...values].filter(([name]) => fields.has(name)));
}
