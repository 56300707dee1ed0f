import { isDeepStrictEqual } from 'node:util';
import { isMemberSet, memberName, storedMember } from '@engawa/model';
import { absent, allOf, equal, not, present } from '@engawa/table';
import { Addition, MemberChange, needsCurrentValue } from '../content/attribute-changes.ts';
import { needsCurrentValues } from '../content/check-changes.ts';
import { partName } from '../../values/part-values.ts';
import { attributePath, storedValue } from '../../values/stored-value.ts';
import { isInParts, rankKey, rankSortKey, rankingAttributes } from '../items/rank-key.ts';
import { uniqueAttributes } from '../../types/unique-attributes.ts';
import type { EntityName } from '@engawa/keys';
import type { AttributeValue, Entity, EntityType } from '@engawa/model';
import type { Condition, Shards, Update } from '@engawa/table';
import type { AttributeChange } from '../content/attribute-changes.ts';
import type { AttributeCondition } from '../content/conditions.ts';
import type { Changes } from '../content/check-changes.ts';

export type AttributeChanges = ReadonlyMap<string, AttributeChange>;

/** Operands in one expression, which may have 4 KB and 300 operators (developer guide, "Expression parameters"). */
const maxOperands = 110;

/** Whether one UpdateItem of the entity's own item is the whole change. */
export function fitsOneUpdate(
  type: EntityType,
  changes: Changes,
  attributes: AttributeChanges,
): boolean {
  if (changes.relations.size > 0 || changes.attributes.size === 0) return false;
  if (dependsOn(type, attributes) || needsCurrentValues(changes)) return false;
  if (!determinesRank(type, attributes)) return false;
  if (changes.conditions.some((condition) => comparesTexts(type, condition))) return false;
  const members = [...changes.attributes.values()].map((change) =>
    change instanceof MemberChange ? 2 * (change.append.length + change.remove.length) : 0,
  );
  const operands = members.reduce((sum, more) => sum + more, 2 * changes.conditions.length);
  return operands === 0 || operands + attributes.size <= maxOperands;
}

/** Whether a condition orders texts: DynamoDB compares them as written, not in normal form. */
function comparesTexts({ attributes }: EntityType, condition: AttributeCondition): boolean {
  if (condition.is !== 'atLeast' && condition.is !== 'atMost') return false;
  const definition = attributes.find(({ name }) => name === condition.attribute);
  return typeof condition.value === 'string' && definition?.kind !== 'instant';
}

/** Whether another item depends on one of these attributes. */
function dependsOn(type: EntityType, attributes: ReadonlyMap<string, unknown>): boolean {
  const others = type.rankings.filter(({ name }) => name !== type.ownRanking);
  const names = [
    ...type.searches.flatMap(({ parts }) => parts.map(partName)),
    ...others.flatMap(rankingAttributes),
    ...type.fullText,
    ...(type.filters ?? []).map(partName),
    ...uniqueAttributes(type),
    ...(type.expires === undefined ? [] : [type.expires.attribute]),
  ];
  return names.some((name) => attributes.has(name));
}

/**
 * Whether the changes leave the sort key of the type's first ranking as it is, or have all values that it is made of;
 * and whether its period may stay (`isSamePeriod`). An addition to its first value is resolved (`resolveScore`).
 */
function determinesRank(type: EntityType, attributes: AttributeChanges): boolean {
  const own = type.rankings.find(({ name }) => name === type.ownRanking);
  if (own?.period !== undefined && attributes.get(own.period.attribute) === null) return false;
  if (own?.ties === undefined) return true;
  const { attribute, ties } = own;
  if (attributes.get(ties.attribute) instanceof Addition) return false;
  return attributes.has(attribute) === attributes.has(ties.attribute);
}

/** The value of a change that sets one (`fitsOneUpdate`). */
function valueOf(change: Exclude<AttributeChange, Addition | MemberChange>): AttributeValue {
  if (needsCurrentValue(change)) throw new TypeError('a change that needs the current value');
  return change;
}

/** Condition: at least one attribute differs from its desired value. */
export function changesAny(type: EntityType, attributes: AttributeChanges): Condition[] {
  const same: Condition[] = [];
  for (const [name, change] of attributes) {
    const path = attributePath(type, name);
    if (change instanceof Addition) {
      if (String(change.by) !== '0') return [];
      same.push(present(path));
    } else if (change instanceof MemberChange) {
      same.push(
        ...change.append.map((one) => equal([...path, memberName(one)], storedMember(one))),
      );
      same.push(...change.remove.map((member) => absent([...path, memberName(member)])));
    } else same.push(change === null ? absent(path) : equal(path, storedValue(valueOf(change))));
  }
  // A set change without members changes nothing.
  return [same.length === 0 ? absent('pk') : not(allOf(...same))];
}

export function hasChanges({ attributes }: Entity, changed: AttributeChanges): boolean {
  return [...changed].every(([name, change]) => {
    const current = attributes.get(name);
    if (change instanceof Addition) return String(change.by) === '0' && current !== undefined;
    if (change === null) return current === undefined;
    if (!(change instanceof MemberChange)) return isDeepStrictEqual(current, change);
    if (current !== undefined && !isMemberSet(current)) return false;
    const written = new Map([...(current ?? [])].map((one) => [memberName(one), String(one)]));
    return (
      change.append.every((one) => written.get(memberName(one)) === String(one)) &&
      !change.remove.some((one) => written.has(memberName(one)))
    );
  });
}

/** Conditions: the maps that the update writes into exist, and sets are stored as sets. */
export function hasParentMaps(type: EntityType, attributes: AttributeChanges): Condition[] {
  return [...attributes].flatMap(([name, change]) => {
    const path = attributePath(type, name);
    if (path[1] !== 'sets') return [];
    const isSet = absent(['data', 'attributes', name]);
    return [isSet, present(change instanceof MemberChange ? path : path.slice(0, 2))];
  });
}

export interface InPlaceUpdateOptions {
  type: EntityType;
  shards: Shards;
  name: EntityName;
  attributes: AttributeChanges;
}

/** The update of the entity's item, including the index key of its type's first ranking. @throws KeyError */
export function inPlaceUpdate({ type, shards, name, attributes }: InPlaceUpdateOptions) {
  const setInside: NonNullable<Update['setInside']>[number][] = [];
  const addInside: NonNullable<Update['addInside']>[number][] = [];
  const remove: (string | readonly string[])[] = [];
  const kept = new Map<string, AttributeValue>();
  for (const [attribute, change] of attributes) {
    const path = attributePath(type, attribute);
    if (change === null) remove.push(path);
    else if (change instanceof Addition) addInside.push({ path, value: change.by });
    else if (change instanceof MemberChange) {
      const inside = (member: (typeof change.append)[number]) => [...path, memberName(member)];
      setInside.push(
        ...change.append.map((one) => ({ path: inside(one), value: storedMember(one) })),
      );
      remove.push(...change.remove.map(inside));
    } else {
      setInside.push({ path, value: storedValue(valueOf(change)) });
      kept.set(attribute, valueOf(change));
    }
  }
  const own = type.rankings.find((ranking) => ranking.name === type.ownRanking);
  const set: Record<string, string> = {};
  if (own !== undefined && attributes.has(own.attribute)) {
    const entity = { ...name, attributes: kept, one: new Map() };
    // In a ranking with parts, the partition key depends on unknown values, and stays (`rankPartition`).
    const isHalf = isInParts(own);
    const gsi2sk = rankSortKey(own, entity);
    if (gsi2sk === undefined) remove.push('gsi2sk', ...(isHalf ? [] : ['gsi2pk']));
    else Object.assign(set, isHalf ? { gsi2sk } : rankKey(own, entity, shards));
  }
  return { setInside, addInside, remove, set };
}
