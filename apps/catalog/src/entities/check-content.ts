import { Problem } from '@engawa/errors';
import { instant, KeyError, id as checkId, normalText } from '@engawa/keys';
import { Decimal, parseTime, UnfitNumber } from '@engawa/model';
import { z } from 'zod';
import type { Fault } from '@engawa/errors';
import type {
  AttributeDefinition,
  AttributeValue,
  EntityType,
  RelationDefinition,
} from '@engawa/model';
import type { Content } from './content.ts';

/** An object as it came: its names are data, so it is only ever read entry by entry. */
export const givenAttributes = z
  .unknown()
  .meta({ type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } })
  .describe('By name; an instant as ISO-8601 or in epoch milliseconds.');

export const givenRelations = z
  .unknown()
  .meta({
    type: 'object',
    additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
  })
  .describe('By name: the id of the other entity, or, for a relation to many, the list of them.');

/** Relations of one entity, at most. */
export const mostRelations = 10_000;

/** What is wrong with one value, as the second half of a sentence. */
export class ValueFault extends Error {}

/**
 * What is said of an entity, checked against its type; an automatic attribute is left out, whatever was given.
 * @throws Problem `invalid-request` with everything that is wrong
 */
export function checkContent(
  type: EntityType,
  given: { attributes?: unknown; relations?: unknown },
): Content {
  const faults: Fault[] = [];
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
  faults.push(...tooMany(relations));
  throwFaults(faults);
  return { attributes, relations };
}

/** What is wrong with so many relations of one entity. */
export function tooMany(relations: ReadonlyMap<string, readonly string[]>): Fault[] {
  if (countOf(relations) <= mostRelations) return [];
  const message = `must be ${mostRelations} at most, all together`;
  return [{ path: 'body.relations', message }];
}

/** @throws Problem `invalid-request` where there are any */
export function throwFaults(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  throw new Problem('invalid-request', `${first.path} ${first.message}.`, { faults: [...faults] });
}

/** The entries of an object of the body, each as `check` makes it; what is wrong is added to the faults. */
export function checkEach<Checked>(
  given: unknown,
  part: string,
  faults: Fault[],
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

/** @throws ValueFault */
export function attributeOf(type: EntityType, name: string): AttributeDefinition {
  const found = type.attributes.find((attribute) => attribute.name === name);
  if (found === undefined) throw new ValueFault(`is no attribute of ${type.name}`);
  return found;
}

/** @throws ValueFault */
export function relationOf(type: EntityType, name: string): RelationDefinition {
  const found = type.relations.find((relation) => relation.name === name);
  if (found === undefined) throw new ValueFault(`is no relation of ${type.name}`);
  return found;
}

/** @throws ValueFault where the value is not of the attribute's kind */
export function checkAttribute({ kind }: AttributeDefinition, value: unknown): AttributeValue {
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw new ValueFault('must be a text');
      return keyed(() => normalText('text', value));
    case 'boolean':
      if (typeof value !== 'boolean') throw new ValueFault('must be true or false');
      return value;
    case 'number':
      if (value instanceof UnfitNumber) throw new ValueFault(`is ${value.reason}`);
      if (value instanceof Decimal || typeof value === 'number') return value;
      throw new ValueFault('must be a number');
    case 'instant':
      return instantOf(value);
  }
}

/** The ids that a relation leads to. @throws ValueFault */
export function checkRelation({ many }: RelationDefinition, value: unknown): readonly string[] {
  if (!many) {
    if (typeof value !== 'string') throw new ValueFault('must be the id of the other entity');
    return [keyed(() => checkId('id', value))];
  }
  return checkIds(value);
}

/** A list of different ids. @throws ValueFault */
export function checkIds(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) throw new ValueFault('must be a list of ids of the other entities');
  const ids = value.map((one) => keyed(() => checkId('id', one)));
  if (new Set(ids).size < ids.length) throw new ValueFault('must not name one id twice');
  return ids;
}

function instantOf(value: unknown): string {
  const time =
    typeof value === 'string' || typeof value === 'number' ? parseTime(value) : undefined;
  if (time === undefined) throw new ValueFault('must be an ISO-8601 time, or epoch milliseconds');
  return keyed(() => instant('time', time));
}

function keyed<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (error instanceof KeyError) throw new ValueFault(error.reason);
    throw error;
  }
}

function countOf(relations: ReadonlyMap<string, readonly string[]>): number {
  return [...relations.values()].reduce((count, ids) => count + ids.length, 0);
}
