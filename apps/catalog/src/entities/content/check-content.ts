import { z } from 'zod';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import { checkAttribute } from '../../values/check-attribute.ts';
import { checkRelation } from './check-relation.ts';
import { checkName } from '../../values/check-value.ts';
import { countOf } from '../read/item-collection.ts';
import { ValueFault } from '../../values/value-error.ts';
import type { FieldError } from '@engawa/errors';
import type { AttributeDefinition, EntityType, RelationDefinition } from '@engawa/model';
import type { Related } from './check-relation.ts';
import type { Content } from './content.ts';

/** An object as it came: its names are data, so it is only ever read entry by entry. */
export const givenAttributes = z
  .unknown()
  .meta({ type: 'object', additionalProperties: true })
  .describe('By name; an instant as ISO-8601 or in epoch milliseconds, a set as a list.');

export const givenRelations = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: {
      type: ['string', 'array'],
      items: { type: ['string', 'object'] },
    },
  })
  .describe(
    'By name: the id of the other entity, or, for a relation to many, the list of them; where it has attributes, also `{"id": …, "attributes": {…}}`, without which they stay.',
  );

/** Relations of one entity, at most. */
export const mostRelations = 10_000;

/**
 * What is said of an entity, checked against its type; an automatic attribute is left out, whatever was given.
 * @throws Problem `invalid-request` with everything that is wrong
 */
export function checkContent(
  type: EntityType,
  given: { attributes?: unknown; relations?: unknown },
): Content {
  const faults: FieldError[] = [];
  const attributes = checkEach(given.attributes, 'attributes', faults, (name, value) =>
    checkAttribute(attributeOf(type, name), value),
  );
  const relations = checkEach(given.relations, 'relations', faults, (name, value) =>
    checkRelation(relationOf(type, name), value),
  );
  for (const { name, required, automatic } of type.attributes) {
    if (automatic !== undefined) attributes.delete(name);
    else if (required && !attributes.has(name)) {
      const isNamed = faults.some(({ path }) => path === `body.attributes.${name}`);
      if (!isNamed) faults.push({ path: `body.attributes.${name}`, message: 'is required' });
    }
  }
  const { ids, links } = parted(relations);
  faults.push(...tooMany(ids));
  throwFieldErrors(faults);
  return { attributes, relations: ids, links };
}

/** What is said of relations, parted into where they lead and what is said of their attributes. */
export function parted(relations: ReadonlyMap<string, Related>) {
  const entries = [...relations];
  return {
    ids: new Map(entries.map(([name, { ids }]) => [name, ids])),
    links: new Map(entries.flatMap(([name, { links }]) => (links.size > 0 ? [[name, links]] : []))),
  };
}

/** What is wrong with so many relations of one entity; `unread`: beside these. */
export function tooMany(
  relations: ReadonlyMap<string, readonly string[]>,
  unread = 0,
): FieldError[] {
  if (countOf(relations) + unread <= mostRelations) return [];
  const message = `must be ${mostRelations} at most, all together`;
  return [{ path: 'body.relations', message }];
}

/** The entries of an object of the body, each as `check` makes it; what is wrong is added to the faults. */
export function checkEach<Checked>(
  given: unknown,
  part: string,
  faults: FieldError[],
  check: (name: string, value: unknown) => Checked,
): Map<string, Checked> {
  const checked = new Map<string, Checked>();
  if (given === undefined) return checked;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    faults.push({ path: `body.${part}`, message: 'must be an object' });
    return checked;
  }
  for (const [name, value] of Object.entries(given)) {
    try {
      checked.set(name.normalize('NFC'), check(name.normalize('NFC'), value));
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      faults.push({ path: `body.${part}.${name.toWellFormed()}`, message: error.message });
    }
  }
  return checked;
}

/** @returns undefined where the type does not declare it, but takes any. @throws ValueFault */
export function attributeOf(type: EntityType, name: string): AttributeDefinition | undefined {
  const found = type.attributes.find((attribute) => attribute.name === name);
  if (found !== undefined) return found;
  if (type.additional !== true) throw new ValueFault(`is no attribute of ${type.name}`);
  checkName(name, 'has a name that');
  return undefined;
}

/** @throws ValueFault */
export function relationOf(type: EntityType, name: string): RelationDefinition {
  const found = type.relations.find((relation) => relation.name === name);
  if (found === undefined) throw new ValueFault(`is no relation of ${type.name}`);
  return found;
}
