import { invalidQuery } from '../../values/invalid-request.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType, RankingDefinition } from '@engawa/model';

/**
 * The parent of a ranking within a relation; undefined for a ranking of all entities.
 * @throws Problem `invalid-request` where the id is missing, or not allowed
 */
export function parentOf(
  { name: type, relations }: EntityType,
  { name, within }: RankingDefinition,
  id: string | undefined,
): EntityName | undefined {
  const parentType = relations.find((relation) => relation.name === within)?.to;
  if (parentType === undefined) {
    if (id === undefined) return undefined;
    const message = `must not be given: the ranking ${name} is of all entities of type ${type}`;
    throw invalidQuery([{ path: 'query.within', message }]);
  }
  if (id !== undefined) return { type: parentType, id };
  const message = `is required: the ranking ${name} is within each ${parentType}`;
  throw invalidQuery([{ path: 'query.within', message }]);
}
