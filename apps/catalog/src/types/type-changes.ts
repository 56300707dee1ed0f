import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '@engawa/errors';
import type { EntityType, RankingDefinition, SearchDefinition } from '@engawa/model';
import type { TypeDefinition } from './check-type.ts';

/** The type as it is declared for the first time: there are no entities, so all it asks for is built. */
export function newType(name: string, definition: TypeDefinition, now: number): EntityType {
  const [own] = definition.rankings;
  return {
    name,
    ...definition,
    searches: definition.searches.map((search) => ({ ...search, layout: 1 })),
    rankings: definition.rankings.map((ranking) => ({ ...ranking, layout: 1 })),
    ...(own && { ownRanking: own.name }),
    version: 1,
    layout: 1,
    built: 1,
    createdAt: now,
    changedAt: now,
  };
}

/**
 * The type as it is declared again; the same object where that changes nothing. What rows its entities have changes with its
 * searches, rankings and full text: these get a new layout, and can be asked once that is built.
 */
export function changedType(type: EntityType, definition: TypeDefinition, now: number): EntityType {
  const next = type.layout + 1;
  const own = ownRanking(type, definition);
  const changed = {
    name: type.name,
    ...definition,
    searches: definition.searches.map((search) => withLayout(search, type.searches, next)),
    rankings: definition.rankings.map((ranking) => {
      const moved = (ranking.name === own) !== (ranking.name === type.ownRanking);
      return withLayout(ranking, moved ? [] : type.rankings, next);
    }),
    ...(own !== undefined && { ownRanking: own }),
  };
  const { version, layout, built, createdAt, gone } = type;
  if (gone !== true && isDeepStrictEqual(declared(type), changed)) return type;
  const isSame = gone !== true && haveSameRows(type, changed);
  return {
    ...changed,
    version: version + 1,
    layout: isSame ? layout : next,
    built,
    createdAt: gone === true ? now : createdAt,
    changedAt: now,
  };
}

/** What is left of a type that is deleted: versions and layouts go on where it is declared again. */
export function goneType(type: EntityType, now: number): EntityType {
  const { name, version, layout, built, createdAt } = type;
  const nothing = { attributes: [], relations: [], searches: [], rankings: [], fullText: [] };
  return {
    name,
    ...nothing,
    version: version + 1,
    layout: layout + 1,
    built,
    createdAt,
    changedAt: now,
    gone: true,
  };
}

/** What entities that are there would not fit: nothing of this may change while there are any. */
export function unfitChanges(type: EntityType, definition: TypeDefinition): Fault[] {
  const path = (list: string, index: number) => (index === -1 ? list : `${list}[${index}]`);
  const attributes = type.attributes.flatMap(({ name, kind }) => {
    const index = definition.attributes.findIndex((attribute) => attribute.name === name);
    if (definition.attributes[index]?.kind === kind) return [];
    const change = index === -1 ? 'stay' : `stay a ${kind}`;
    const message = `must let the attribute ${JSON.stringify(name)} ${change}`;
    return [{ path: path('body.attributes', index), message }];
  });
  const relations = type.relations.flatMap(({ name, to, many }) => {
    const index = definition.relations.findIndex((relation) => relation.name === name);
    const now = definition.relations[index];
    if (now?.to === to && now.many === many) return [];
    const where = `to ${many ? 'many' : 'one'} of ${JSON.stringify(to)}`;
    const change = now === undefined ? 'stay' : `lead ${where}`;
    const message = `must let the relation ${JSON.stringify(name)} ${change}`;
    return [{ path: path('body.relations', index), message }];
  });
  return [...attributes, ...relations];
}

/** The type without what changes each time. */
function declared(type: EntityType): Partial<EntityType> {
  const { name, attributes, relations, searches, rankings, fullText, ownRanking } = type;
  return {
    name,
    attributes,
    relations,
    searches,
    rankings,
    fullText,
    ...(ownRanking !== undefined && { ownRanking }),
  };
}

/** It stays while it is there: another one moves an index key on every entity. */
function ownRanking(type: EntityType, { rankings }: TypeDefinition): string | undefined {
  const stays = rankings.some(({ name }) => name === type.ownRanking);
  return stays ? type.ownRanking : rankings[0]?.name;
}

/** With the layout that it had, where it is as it was. */
function withLayout<Definition extends { name: string }>(
  definition: Definition,
  before: readonly (Definition & { layout: number })[],
  next: number,
): Definition & { layout: number } {
  const known = before.find(({ name }) => name === definition.name);
  const layout = known?.layout ?? next;
  return isDeepStrictEqual(known, { ...definition, layout })
    ? { ...definition, layout }
    : { ...definition, layout: next };
}

type WithRows = Pick<EntityType, 'searches' | 'rankings' | 'fullText' | 'ownRanking'>;

/** Whether an entity has the same rows under both, in whatever order they are declared. */
function haveSameRows(left: WithRows, right: WithRows): boolean {
  return (
    left.ownRanking === right.ownRanking &&
    isDeepStrictEqual(byName(left.searches), byName(right.searches)) &&
    isDeepStrictEqual(byName(left.rankings), byName(right.rankings)) &&
    isDeepStrictEqual(new Set(left.fullText), new Set(right.fullText))
  );
}

function byName(
  definitions: readonly (SearchDefinition | RankingDefinition)[],
): Map<string, SearchDefinition | RankingDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
