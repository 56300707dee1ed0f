import {
  attributeOf,
  checkAttribute,
  checkEach,
  checkIds,
  checkRelation,
  relationOf,
  throwFaults,
  tooMany,
  ValueFault,
} from './check-content.ts';
import type { Fault } from '@engawa/errors';
import type { AttributeValue, EntityType, RelationDefinition } from '@engawa/model';
import type { Content } from './content.ts';

/** What a relation is to become: these ids, or those it has with some more and some less. */
export type RelationChange =
  readonly string[] | { add: readonly string[]; remove: readonly string[] };

/** Part of an entity, checked against its type. What is not named stays as it is; null is taken away. */
export interface Changes {
  attributes: ReadonlyMap<string, AttributeValue | null>;
  relations: ReadonlyMap<string, RelationChange>;
}

/** @throws Problem `invalid-request` with everything that is wrong */
export function checkChanges(
  type: EntityType,
  given: { attributes?: unknown; relations?: unknown },
): Changes {
  const faults: Fault[] = [];
  const attributes = checkEach(given.attributes, 'attributes', faults, (name, value) => {
    const attribute = attributeOf(type, name);
    if (value !== null) return checkAttribute(attribute, value);
    if (attribute.required) throw new ValueFault('is required, it cannot be taken away');
    return null;
  });
  const relations = checkEach(given.relations, 'relations', faults, (name, value) =>
    checkRelationChange(relationOf(type, name), value),
  );
  for (const { name, automatic } of type.attributes) {
    if (automatic !== undefined) attributes.delete(name);
  }
  throwFaults(faults);
  return { attributes, relations };
}

/** What an entity of this content becomes. @throws Problem `invalid-request` where that is too much */
export function applyChanges(content: Content, changes: Changes): Content {
  const attributes = new Map(content.attributes);
  for (const [name, value] of changes.attributes) {
    if (value === null) attributes.delete(name);
    else attributes.set(name, value);
  }
  const relations = new Map(content.relations);
  for (const [name, change] of changes.relations) {
    const ids = changedIds(relations.get(name) ?? [], change);
    if (ids.length === 0) relations.delete(name);
    else relations.set(name, ids);
  }
  if (changes.relations.size > 0) throwFaults(tooMany(relations));
  return { attributes, relations };
}

function checkRelationChange(relation: RelationDefinition, value: unknown): RelationChange {
  if (value === null) return [];
  const isPart = typeof value === 'object' && !Array.isArray(value);
  if (!relation.many || !isPart) return checkRelation(relation, value);
  const { add = [], remove = [], ...rest } = value as Record<string, unknown>;
  if (Object.keys(rest).length > 0) {
    throw new ValueFault('must be a list of ids, or have `add` and `remove` alone');
  }
  return { add: checkIds(add), remove: checkIds(remove) };
}

function changedIds(ids: readonly string[], change: RelationChange): readonly string[] {
  if (!('add' in change)) return change;
  const removed = new Set(change.remove);
  return [...new Set([...ids.filter((id) => !removed.has(id)), ...change.add])];
}
