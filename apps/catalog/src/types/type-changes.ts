import { isDeepStrictEqual } from 'node:util';
import { plannedSteps, stepsAfter } from './migration/planned-steps.ts';
import { unfitChanges } from './migration/incompatible-changes.ts';
import { uniqueAttributes } from './unique-attributes.ts';
import { haveSameFilters, layeredFilters } from './filter-layouts.ts';
import type { EntityType, RankingDefinition, SearchDefinition } from '@engawa/model';
import type { TypeDefinition } from './check/check-type.ts';

/** The type as it is declared for the first time: there are no entities, so all it asks for is built. */
export function newType(name: string, given: TypeDefinition, now: number): EntityType {
  const definition = withoutMigration(given);
  const [own] = definition.rankings;
  return {
    name,
    ...definition,
    searches: definition.searches.map((search) => ({ ...search, layout: 1 })),
    rankings: definition.rankings.map((ranking) => ({ ...ranking, layout: 1 })),
    ...layeredFilters(definition, [], 1),
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
 * searches, rankings and full text: these get a new layout, and can be asked once that is built. So does what entities of
 * before would not fit: a write that was staged under that is refused by its layout.
 */
export function changedType(type: EntityType, definition: TypeDefinition, now: number): EntityType {
  const next = type.layout + 1;
  const own = ownRanking(type, definition);
  const declaration = withoutMigration(definition);
  const steps = plannedSteps(type, definition, next);
  const converted = new Set(steps.map((step) => (step.step === 'convert' ? step.name : '')));
  const changed = {
    name: type.name,
    ...declaration,
    searches: definition.searches.map((search) => withLayout(search, type.searches, next)),
    rankings: definition.rankings.map((ranking) => {
      const moved = (ranking.name === own) !== (ranking.name === type.ownRanking);
      const isOther = moved || converted.has(ranking.attribute);
      return withLayout(ranking, isOther ? [] : type.rankings, next);
    }),
    ...layeredFilters(definition, type.filters, next),
    ...(own !== undefined && { ownRanking: own }),
  };
  const { version, layout, built, createdAt, gone } = type;
  if (gone !== true && isDeepStrictEqual(declared(type), changed)) return type;
  const isSame =
    gone !== true &&
    steps.length === 0 &&
    haveSameRows(type, changed) &&
    haveSameUnique(type, changed) &&
    unfitChanges(type, definition).length === 0;
  return {
    ...changed,
    ...stepsAfter(type, steps),
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

/** What is said of the declaration before is no part of the type. */
function withoutMigration(definition: TypeDefinition): Omit<TypeDefinition, 'migration'> {
  const declaration = { ...definition };
  delete declaration.migration;
  return declaration;
}

/** The type without what changes each time. */
function declared(type: EntityType): Partial<EntityType> {
  const { name, attributes, relations, searches, rankings, fullText, ownRanking } = type;
  const { additional, filters, expires } = type;
  return {
    name,
    attributes,
    relations,
    searches,
    rankings,
    fullText,
    ...(additional === true && { additional }),
    filters,
    ...(expires && { expires }),
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

type WithAttributes = Pick<EntityType, 'attributes'>;
type WithRows = Pick<
  EntityType,
  'searches' | 'rankings' | 'fullText' | 'filters' | 'expires' | 'ownRanking'
>;

/** Whether an entity has the same rows under both, in whatever order they are declared. */
function haveSameRows(left: WithRows, right: WithRows): boolean {
  return (
    left.ownRanking === right.ownRanking &&
    isDeepStrictEqual(byName(left.searches), byName(right.searches)) &&
    isDeepStrictEqual(byName(left.rankings), byName(right.rankings)) &&
    isDeepStrictEqual(new Set(left.fullText), new Set(right.fullText)) &&
    haveSameFilters(left.filters, right.filters) &&
    isDeepStrictEqual(left.expires, right.expires)
  );
}

function byName(
  definitions: readonly (SearchDefinition | RankingDefinition)[],
): Map<string, SearchDefinition | RankingDefinition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

/** Who does not know of a unique attribute would not release its values: by the layout of the entity it is told. */
function haveSameUnique(left: WithAttributes, right: WithAttributes): boolean {
  return isDeepStrictEqual(new Set(uniqueAttributes(left)), new Set(uniqueAttributes(right)));
}
