import { repeatedParameter } from '@engawa/http';
import { z } from 'zod';
import { invalidQuery } from '../../values/invalid-request.ts';
import { withKnownTypes } from '../../types/known/with-known-types.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
import type { KnownTypes } from '../../types/known/known-types.ts';

/** Attributes to include of the entity that a relation to one relates to. */
export interface IncludedRelation {
  target: EntityType;
  attributes: ReadonlySet<string>;
}

/** By the name of the relation. */
export type Include = ReadonlyMap<string, IncludedRelation>;

const maxIncludes = 20;
const maxRelations = 5;
/** Characters; two names of 128 characters have up to 3,073 when percent-encoded. */
const maxIncludeLength = 4000;
/** Included entities that a page reads together: those of one BatchGetItem. */
const maxIncludedRead = 100;

const purpose =
  'Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT.';

export const includeQuery = {
  include: repeatedParameter(z.string().min(1).max(maxIncludeLength), { maximum: maxIncludes })
    .optional()
    .describe(purpose),
};

export interface IncludeQuery {
  include?: readonly string[] | undefined;
  whole?: boolean;
}

/** For a list that returns entities only with `whole`. */
export function refuseIncludeWithoutWhole(query: IncludeQuery, context: z.RefinementCtx): void {
  if (query.include === undefined || query.whole === true) return;
  context.addIssue({ code: 'custom', path: ['include'], message: 'requires whole=true' });
}

/** The most entities that a page reads together, so that a BatchGetItem has all that they include. */
export function maxReadWith({ include }: IncludeQuery): number | undefined {
  if (include === undefined) return undefined;
  const relations = new Set(include.map((text) => text.split('.')[0]));
  return Math.max(1, Math.floor(maxIncludedRead / relations.size));
}

export interface IncludedName {
  /** Of the parameter. */
  path: string;
  relation: string;
  attribute: string;
}

/** The relations and attributes that parameters name. @throws Problem `invalid-request` */
export function includedNames(include: readonly string[]): IncludedName[] {
  return include.map((text, index) => {
    const path = `query.include[${index}]`;
    const [relation, attribute, ...others] = text.split('.').map(decoded);
    if (relation === undefined || attribute === undefined || others.length > 0) {
      throw invalidQuery([{ path, message: 'must be relation.attribute' }]);
    }
    return { path, relation, attribute };
  });
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name).normalize('NFC');
  } catch {
    return undefined;
  }
}

/**
 * The included attributes of entities of the type, by relation.
 * @throws Problem `invalid-request` where there is no such relation to one, or no such attribute; `type-not-found`
 */
export async function includeOf(
  types: KnownTypes,
  type: string,
  query: IncludeQuery,
): Promise<Include | undefined> {
  if (query.include === undefined) return undefined;
  const names = includedNames(query.include);
  const targets = await withKnownTypes(types, [type], (known) => targetsOf(known, names));
  const included = [...targets].map(([relation, to]) =>
    withKnownTypes(types, [to], (target): [string, IncludedRelation] => [
      relation,
      { target, attributes: attributesOf(target, relation, names) },
    ]),
  );
  return new Map(await Promise.all(included));
}

/** The types of the targets, by relation. */
function targetsOf(type: EntityType, names: readonly IncludedName[]): Map<string, string> {
  const targets = new Map<string, string>();
  const fieldErrors = names.flatMap(({ path, relation }): FieldError[] => {
    const found = type.relations.find(({ name, many }) => name === relation && !many);
    if (found === undefined)
      return [{ path, message: `must begin with a relation to one of ${type.name}` }];
    targets.set(relation, found.to);
    return [];
  });
  if (targets.size > maxRelations) {
    const message = `must name at most ${maxRelations} relations`;
    fieldErrors.push({ path: 'query.include', message });
  }
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  return targets;
}

function attributesOf(
  target: EntityType,
  relation: string,
  names: readonly IncludedName[],
): Set<string> {
  const own = names.filter((name) => name.relation === relation);
  const known = new Set(target.attributes.map(({ name }) => name));
  const fieldErrors = own.flatMap(({ path, attribute }) => {
    if (known.has(attribute) || target.additional === true) return [];
    return [{ path, message: `must end with an attribute of ${target.name}` }];
  });
  if (fieldErrors.length > 0) throw invalidQuery(fieldErrors);
  return new Set(own.map(({ attribute }) => attribute));
}

/** The fields to read, including the relations whose targets are included. */
export function withRelations(
  fields: Fields | undefined,
  include: Include | undefined,
): Fields | undefined {
  return fields && include ? new Set([...fields, ...include.keys()]) : fields;
}
