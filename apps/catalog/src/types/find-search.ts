import { Problem } from '@engawa/errors';
import type { EntityType, RankingDefinition, SearchDefinition } from '@engawa/model';

/** The search of that name. @throws Problem `search-not-found`, or `search-building` until it is built */
export function findSearch(type: EntityType, name: string): SearchDefinition {
  return ready(type, 'search', name, type.searches);
}

/** @throws Problem `search-not-found`, or `search-building` until it is built */
export function findRanking(type: EntityType, name: string): RankingDefinition {
  return ready(type, 'ranking', name, type.rankings);
}

function ready<Definition extends { name: string; layout: number }>(
  type: EntityType,
  kind: 'search' | 'ranking',
  name: string,
  definitions: readonly Definition[],
): Definition {
  const found = definitions.find((definition) => definition.name === name);
  if (found === undefined) {
    throw new Problem('search-not-found', `Type "${type.name}" has no ${kind} "${name}".`);
  }
  if (found.layout > type.built) {
    const detail = `The ${kind} "${name}" is being built from the existing entities.`;
    throw new Problem('search-building', detail);
  }
  return found;
}
