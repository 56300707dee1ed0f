import { z } from 'zod';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { checkAttribute } from '../../values/check-attribute.ts';
import { checkRelation } from './check-relation.ts';
import { checkJson, checkName } from '../../values/check-value.ts';
import { countIds } from '../read/item-collection.ts';
import { ValueError } from '../../values/value-error.ts';
import type { FieldError } from '@engawa/errors';
import type {
  AttributeDefinition,
  AttributeValue,
  EntityType,
  RelationDefinition,
} from '@engawa/model';
import type { CheckedRelation } from './check-relation.ts';
import { missingAmong, olderErrors } from './older-content.ts';
import { takeStated } from './service-properties.ts';
import type { Content } from './content.ts';
import type { GivenProperties } from './service-properties.ts';

/** An unchecked object: its property names are user data, so it is read with Object.entries only. */
export const attributesInput = z
  .unknown()
  .meta({ type: 'object', additionalProperties: true })
  .describe('By name; an instant as ISO-8601 or epoch milliseconds, a set as a list.');

export const relationsInput = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: ['string', 'array'],
      items: { type: ['string', 'object'] },
    },
  })
  .describe(
    'By name: the target id, or for a relation to many a list of ids; if the relation has attributes, also `{"id": …, "attributes": {…}}`; without `attributes`, existing ones stay.',
  );

/** Relations of one entity. */
export const maxRelations = 10_000;

/**
 * The content of a request body, validated against the type; automatic attributes are among the stated properties.
 * @throws Problem `invalid-request` with all errors, unless all of them are of `older`
 */
export function checkContent(
  type: EntityType,
  given: { attributes?: unknown; relations?: unknown } & GivenProperties,
): Content {
  const fieldErrors: FieldError[] = [];
  const unfit = new Map<string, string>();
  const attributes = checkEach(given.attributes, 'attributes', fieldErrors, (name, value) =>
    checkOlder(attributeOf(type, name), value, { type, unfit }),
  );
  const relations = checkEach(given.relations, 'relations', fieldErrors, (name, value) =>
    checkRelation(relationOf(type, name), value),
  );
  const stated = takeStated(type, given, attributes);
  const { ids, links } = splitRelations(relations);
  fieldErrors.push(...relationCountErrors(ids));
  const older = { missing: missingAmong(type, attributes), unfit };
  const errors = olderErrors(older);
  const named = new Set(fieldErrors.map(({ path }) => path));
  if (named.size > 0) {
    throwFieldErrors([...fieldErrors, ...errors.filter(({ path }) => !named.has(path))]);
  }
  return { attributes, relations: ids, links, stated, ...(errors.length > 0 && { older }) };
}

/** A value that does not fit an attribute of an open type may be older than the attribute. @throws ValueError */
function checkOlder(
  attribute: AttributeDefinition | undefined,
  value: unknown,
  { type, unfit }: { type: EntityType; unfit: Map<string, string> },
): AttributeValue {
  try {
    return checkAttribute(attribute, value);
  } catch (error) {
    const mayBeOlder = attribute !== undefined && type.additional === true;
    if (!mayBeOlder || !(error instanceof ValueError)) throw error;
    unfit.set(attribute.name, error.message);
    return checkJson(value);
  }
}

/** Splits relations into target ids and attribute changes. */
export function splitRelations(relations: ReadonlyMap<string, CheckedRelation>) {
  const entries = [...relations];
  return {
    ids: new Map(entries.map(([name, { ids }]) => [name, ids])),
    links: new Map(entries.flatMap(([name, { links }]) => (links.size > 0 ? [[name, links]] : []))),
  };
}

/** The error of an entity with too many relations, if it has. @param unread number of relations not among these */
export function relationCountErrors(
  relations: ReadonlyMap<string, readonly string[]>,
  unread = 0,
): FieldError[] {
  if (countIds(relations) + unread <= maxRelations) return [];
  const message = `must be ${maxRelations} ids at most, in total`;
  return [{ path: 'body.relations', message }];
}

/** The entries of an object in the body, converted by `check`; its errors are added to `fieldErrors`. */
export function checkEach<Checked>(
  given: unknown,
  part: string,
  fieldErrors: FieldError[],
  check: (name: string, value: unknown) => Checked,
): Map<string, Checked> {
  const checked = new Map<string, Checked>();
  if (given === undefined) return checked;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    fieldErrors.push({ path: `body.${part}`, message: 'must be an object' });
    return checked;
  }
  for (const [name, value] of Object.entries(given)) {
    try {
      const normal = name.normalize('NFC');
      if (checked.has(normal)) throw new ValueError('is given twice, in two spellings');
      checked.set(normal, check(normal, value));
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      fieldErrors.push({ path: `body.${part}.${name.toWellFormed()}`, message: error.message });
    }
  }
  return checked;
}

/** @returns undefined for an undeclared attribute of an open type. @throws ValueError */
export function attributeOf(type: EntityType, name: string): AttributeDefinition | undefined {
  const found = type.attributes.find((attribute) => attribute.name === name);
  if (found !== undefined) return found;
  if (type.additional !== true) throw new ValueError(`is not an attribute of ${type.name}`);
  checkName(name, 'has a name that');
  return undefined;
}

/** @throws ValueError */
export function relationOf(type: EntityType, name: string): RelationDefinition {
  const found = type.relations.find((relation) => relation.name === name);
  if (found === undefined) throw new ValueError(`is not a relation of ${type.name}`);
  return found;
}
