import { isDeepStrictEqual } from 'node:util';
import { plannedSteps, stepsAfter } from './migration/planned-steps.ts';
import { incompatibleChanges } from './migration/incompatible-changes.ts';
import { uniqueAttributes } from './unique-attributes.ts';
import { haveSameFilters, filtersWithLayout } from './filter-layouts.ts';
import { rankingAttributes } from '../entities/items/rank-key.ts';
import type { EntityType, RankingDefinition, SearchDefinition } from '@engawa/model';
import type { TypeDefinition } from './check/check-type.ts';

/** A new type: without entities, everything is built already. */
export function newType(name: string, given: TypeDefinition, now: number): EntityType {
  const definition = withoutMigration(given);
  const [own] = definition.rankings;
  return {
    name,
    ...definition,
    searches: definition.searches.map((search) => ({ ...search, layout: 1 })),
    rankings: definition.rankings.map((ranking) => ({ ...ranking, layout: 1 })),
    ...filtersWithLayout(definition, [], 1),
    ...(own && { ownRanking: own.name }),
    version: 1,
    layout: 1,
    built: 1,
    createdAt: now,
    changedAt: now,
  };
}

/**
 * The type after a new declaration; the same object where nothing changes. A change of the rows of entities (searches,
 * rankings, full text) gets a new layout, available once that is built. An incompatible change gets one, too: a staged
 * write with the old layout is then rejected.
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
      const isOther = moved || rankingAttributes(ranking).some((name) => converted.has(name));
      return withLayout(ranking, isOther ? [] : type.rankings, next);
    }),
    ...filtersWithLayout(definition, type.filters, next),
    ...(own !== undefined && { ownRanking: own }),
  };
  const { version, layout, built, createdAt, gone } = type;
  if (gone !== true && isDeepStrictEqual(declared(type), changed)) return type;
  const isSame =
    gone !== true &&
    steps.length === 0 &&
    haveSameRows(type, changed) &&
    haveSameUnique(type, changed) &&
    incompatibleChanges(type, definition).length === 0;
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

/** The tombstone of a deleted type: versions and layouts continue if it is declared again. */
export function deletedType(type: EntityType, now: number): EntityType {
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

/** Migrations are instructions of a declaration, not stored in the type. */
function withoutMigration(definition: TypeDefinition): Omit<TypeDefinition, 'migration'> {
  const declaration = { ...definition };
  delete declaration.migration;
  return declaration;
}

/** The type without version, layout and times. */
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

/** The first ranking stays the same while it is declared: changing it rewrites an index key on every entity. */
function ownRanking(type: EntityType, { rankings }: TypeDefinition): string | undefined {
  const isKept = rankings.some(({ name }) => name === type.ownRanking);
  return isKept ? type.ownRanking : rankings[0]?.name;
}

/** With its previous layout if unchanged, else with the next. */
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

/** Whether both give an entity the same rows, regardless of the order of their declarations. */
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

/**
 * A replica with an outdated type would not release unique values; the new layout of the entity makes it refresh the
 * type.
 */
function haveSameUnique(left: WithAttributes, right: WithAttributes): boolean {
  return isDeepStrictEqual(new Set(uniqueAttributes(left)), new Set(uniqueAttributes(right)));
}
