import { Problem } from '@engawa/errors';
import { parseTime } from '@engawa/model';
import { isMap, isNumber } from '../../values/check-value.ts';
import { ValueError } from '../../values/value-error.ts';
import { unindexedReasons } from '../items/unindexed-texts.ts';
import { relationIds } from '../read/item-collection.ts';
import { changesLinks } from '../relations/relation-attributes.ts';
import { checkRelation } from './check-relation.ts';
import type { FieldError } from '@engawa/errors';
import type { Entity, EntityType } from '@engawa/model';
import type { ItemCollection } from '../read/item-collection.ts';
import type { StatedProperties } from './service-properties.ts';

/** A property that differs, and when the service set it. */
interface Difference extends FieldError {
  since: 'created' | 'updated';
}

interface CheckStatedOptions {
  before: ItemCollection;
  type: EntityType;
  /** Whether the entity has the content of the body already. */
  isSame: boolean;
}

/**
 * Refuses properties that the service sets and that differ from the stored entity (docs/adr/0136). A repeated request,
 * whose first attempt has changed version and times, has the stored content: only its creation is compared.
 * @throws Problem `version-mismatch` if the entity has changed since it was read, else `invalid-request`
 */
export function checkStated(
  stated: StatedProperties | undefined,
  existing: Entity,
  { before, type, isSame }: CheckStatedOptions,
): void {
  if (stated === undefined) return;
  if (stated.isImported && !isTime(stated.createdAt, existing.createdAt)) return;
  const { version } = stated;
  const isRepeated = isSame && (version === undefined || version === existing.version - 1);
  const all = differences(stated, existing, { before, type });
  const errors = isRepeated ? all.filter(({ since }) => since === 'created') : all;
  const [first] = errors;
  if (first === undefined) return;
  const fieldErrors = errors.map(({ path, message }) => ({ path, message }));
  const isOutdated = version === undefined ? hasLaterTime(errors) : version !== existing.version;
  const code = isOutdated ? 'version-mismatch' : 'invalid-request';
  throw new Problem(code, `${first.path} ${first.message}.`, { fieldErrors });
}

function hasLaterTime(errors: readonly Difference[]): boolean {
  return errors.some(({ since }) => since === 'updated');
}

function differences(
  stated: StatedProperties,
  existing: Entity,
  { before, type }: Pick<CheckStatedOptions, 'before' | 'type'>,
): Difference[] {
  return [
    ...versionDifference(stated, existing),
    ...timeDifferences(stated, existing),
    ...automaticDifferences(stated, existing, type),
    ...valueDifferences('unconverted', stated.unconverted, existing.unconverted ?? new Map()),
    ...valueDifferences('unindexed', stated.unindexed, unindexedReasons(type, existing)),
    ...partDifferences(stated, before, type),
  ];
}

function versionDifference({ version }: StatedProperties, existing: Entity): Difference[] {
  if (version === undefined || version === existing.version) return [];
  const message = `is set by the service, and is ${existing.version} now`;
  return [{ path: 'body.version', message, since: 'updated' }];
}

function timeDifferences(stated: StatedProperties, existing: Entity): Difference[] {
  const times = [
    ['createdAt', 'created'],
    ['updatedAt', 'updated'],
  ] as const;
  return times.flatMap(([name, since]) => {
    if (stated[name] === undefined || isTime(stated[name], existing[name])) return [];
    const message = `is set by the service, and is ${new Date(existing[name]).toISOString()}`;
    return [{ path: `body.${name}`, message, since }];
  });
}

/** An instant of a body: ISO-8601 in any form, or epoch milliseconds. */
function isTime(given: unknown, at: number): boolean {
  return typeof given === 'string' ? parseTime(given) === at : given === at;
}

function automaticDifferences(
  { automatic }: StatedProperties,
  { attributes }: Entity,
  type: EntityType,
): Difference[] {
  return type.attributes.flatMap(({ name, automatic: since }) => {
    const [given, value] = [automatic.get(name), attributes.get(name)];
    if (since === undefined || given === undefined || given === value) return [];
    const message = `is automatic, and is ${value === undefined ? 'absent' : JSON.stringify(value)}`;
    return [{ path: `body.attributes.${name}`, message, since }];
  });
}

/** Texts, numbers and booleans by name. */
function valueDifferences(
  property: 'unconverted' | 'unindexed',
  given: unknown,
  values: ReadonlyMap<string, unknown>,
): Difference[] {
  if (given === undefined) return [];
  const path = `body.${property}`;
  const message = 'is set by the service, and is not that of the entity';
  const names = isMap(given) ? Object.entries(given) : [['', given] as const];
  return names
    .filter(([name, value]) => !isSameValue(value, values.get(name.normalize('NFC'))))
    .map(([name]) => ({
      path: name === '' ? path : `${path}.${name.toWellFormed()}`,
      message,
      since: 'updated' as const,
    }));
}

function isSameValue(given: unknown, value: unknown): boolean {
  if (isNumber(given) && isNumber(value)) return String(given) === String(value);
  return value !== undefined && given === value;
}

/** A part may be any of the stored relations: on which page they were depends on the request. */
function partDifferences(
  { relationParts }: StatedProperties,
  before: ItemCollection,
  type: EntityType,
): Difference[] {
  if (relationParts === undefined) return [];
  const message = 'is not among the relations of the entity; use `relations` to replace them';
  if (!isMap(relationParts)) return [{ path: 'body.relationParts', message, since: 'updated' }];
  return Object.entries(relationParts)
    .filter(([name, part]) => !isPartOf(name.normalize('NFC'), part, { before, type }))
    .map(([name]) => ({
      path: `body.relationParts.${name.toWellFormed()}`,
      message,
      since: 'updated' as const,
    }));
}

function isPartOf(
  name: string,
  part: unknown,
  { before, type }: Pick<CheckStatedOptions, 'before' | 'type'>,
): boolean {
  const relation = type.relations.find((one) => one.name === name && one.many);
  if (relation === undefined) return false;
  try {
    const { ids, links } = checkRelation(relation, part);
    const stored = new Set(relationIds(before).get(name));
    const isStored = ids.every((id) => stored.has(id));
    return isStored && !changesLinks(before, type, new Map([[name, links]]));
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}
