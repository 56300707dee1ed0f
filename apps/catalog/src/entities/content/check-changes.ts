import { throwFieldErrors } from '../../values/invalid-request.ts';
import {
  Addition,
  changedValue,
  checkAttributeChange,
  needsCurrentValue,
} from './attribute-changes.ts';
import {
  attributeOf,
  checkEach,
  splitRelations,
  relationOf,
  relationCountErrors,
} from './check-content.ts';
import { checkIds, checkLinks, checkRelation } from './check-relation.ts';
import { checkMapChange, MapChange } from './map-changes.ts';
import { checkConditions, maxConditions } from './conditions.ts';
import { ValueError } from '../../values/value-error.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType, RelationDefinition } from '@engawa/model';
import type { AttributeChange } from './attribute-changes.ts';
import type { AttributeCondition } from './conditions.ts';
import type { CheckedRelation } from './check-relation.ts';
import type { Content } from './content.ts';
import type { LinkChanges } from '../relations/relation-attributes.ts';

/** The change of a relation: the new ids, or ids to add and remove. */
export type RelationChange =
  readonly string[] | { add: readonly string[]; remove: readonly string[] };

/** A patch, validated against the type. Unnamed properties are unchanged; null removes. */
export interface Changes {
  attributes: ReadonlyMap<string, AttributeChange>;
  relations: ReadonlyMap<string, RelationChange>;
  links?: LinkChanges;
  /** Conditions on the current entity. */
  conditions: readonly AttributeCondition[];
}

/** The body of a patch. */
export interface ChangesInput {
  attributes?: unknown;
  inside?: unknown;
  relations?: unknown;
  conditions?: unknown;
}

/**
 * @param isMergePatch whether values of maps are merged (RFC 7396)
 * @throws Problem `invalid-request` with all errors
 */
export function checkChanges(
  type: EntityType,
  given: ChangesInput,
  { isMergePatch = false }: { isMergePatch?: boolean } = {},
): Changes {
  const fieldErrors: FieldError[] = [];
  const attributes = checkEach(given.attributes, 'attributes', fieldErrors, (name, value) =>
    checkAttributeChange(attributeOf(type, name), value, { isMergePatch }),
  );
  const inside = checkEach(given.inside, 'inside', fieldErrors, (name, value) => {
    if (attributes.has(name)) throw new ValueError('must not be changed in `attributes`, too');
    return checkMapChange(attributeOf(type, name), value);
  });
  for (const [name, change] of inside) attributes.set(name, change);
  const relations = checkEach(given.relations, 'relations', fieldErrors, (name, value) =>
    checkRelationChange(relationOf(type, name), value),
  );
  const conditions = checkEach(given.conditions, 'conditions', fieldErrors, (name, value) =>
    checkConditions(type, name, value),
  );
  for (const { name, automatic } of type.attributes) {
    if (automatic !== undefined) attributes.delete(name);
  }
  const all = [...conditions.values()].flat();
  if (all.length > maxConditions) {
    fieldErrors.push({ path: 'body.conditions', message: `must be at most ${maxConditions}` });
  }
  throwFieldErrors(fieldErrors);
  const changes = new Map([...relations].map(([name, { change }]) => [name, change]));
  return {
    attributes,
    relations: changes,
    links: splitRelations(relations).links,
    conditions: all,
  };
}

/**
 * The content after the changes. @param unread number of relations that the content lacks
 * @throws Problem `invalid-request` where a change does not apply, or there are too many relations
 */
export function applyChanges(content: Content, changes: Changes, unread = 0): Content {
  const attributes = new Map(content.attributes);
  const fieldErrors: FieldError[] = [];
  for (const [name, change] of changes.attributes) {
    try {
      const value = changedValue(attributes.get(name), change);
      if (value === undefined) attributes.delete(name);
      else attributes.set(name, value);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      const part = change instanceof MapChange ? 'inside' : 'attributes';
      fieldErrors.push({ path: `body.${part}.${name.toWellFormed()}`, message: error.message });
    }
  }
  throwFieldErrors(fieldErrors);
  const relations = new Map(content.relations);
  for (const [name, change] of changes.relations) {
    const ids = changedIds(relations.get(name) ?? [], change);
    if (ids.length === 0) relations.delete(name);
    else relations.set(name, ids);
  }
  if (changes.relations.size > 0) throwFieldErrors(relationCountErrors(relations, unread));
  return { attributes, relations, ...(changes.links && { links: changes.links }) };
}

/** Whether a change depends on the current value, so that the entity has to be read. */
export function needsCurrentValues({ attributes }: Pick<Changes, 'attributes'>): boolean {
  return [...attributes.values()].some(needsCurrentValue);
}

export function hasAddition({ attributes }: Pick<Changes, 'attributes'>): boolean {
  return [...attributes.values()].some((change) => change instanceof Addition);
}

/** The target ids that the changes name, new or existing. */
export function namedRelations({ relations }: Changes): Map<string, readonly string[]> {
  return new Map(
    [...relations].map(([name, change]) => [name, 'add' in change ? change.add : change] as const),
  );
}

function checkRelationChange(
  relation: RelationDefinition,
  value: unknown,
): CheckedRelation & { change: RelationChange } {
  if (value === null) return { ids: [], links: new Map(), change: [] };
  const isPart = typeof value === 'object' && !Array.isArray(value);
  if (!relation.many || !isPart) {
    const related = checkRelation(relation, value);
    return { ...related, change: related.ids };
  }
  const { add = [], remove = [], ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) {
    throw new ValueError('must be a list of ids, or an object with only `add` and `remove`');
  }
  const related = checkLinks(relation, add, { isWhole: false });
  return { ...related, change: { add: related.ids, remove: checkIds(remove) } };
}

function changedIds(ids: readonly string[], change: RelationChange): readonly string[] {
  if (!('add' in change)) return change;
  const removed = new Set(change.remove);
  return [...new Set([...ids.filter((id) => !removed.has(id)), ...change.add])];
}
