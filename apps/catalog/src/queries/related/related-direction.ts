import { invalidQuery } from '../../values/invalid-request.ts';
import type { EntityType } from '@engawa/model';
import type { Direction } from './related-store.ts';

interface DirectionParameters {
  direction?: Direction | undefined;
  relation?: string | undefined;
}

/**
 * The direction of the relations between two types: the requested one, or the only one.
 * @throws Problem `invalid-request`
 */
export function directionOf(
  type: EntityType,
  other: EntityType,
  { direction: requested, relation }: DirectionParameters,
): Direction {
  const relations = {
    forward: relationsTo(type, other),
    backward: relationsTo(other, type),
  };
  const desired: Direction[] = requested === undefined ? ['forward', 'backward'] : [requested];
  const related = desired.filter((direction) => relations[direction].length > 0);
  const found = related.filter(
    (direction) => relation === undefined || relations[direction].includes(relation),
  );
  const [first, ...more] = found;
  if (first !== undefined && more.length === 0) return first;
  throw invalidQuery([
    errorOf(type, other, { requested, isRelated: related.length > 0, count: found.length }),
  ]);
}

function errorOf(
  { name: type }: EntityType,
  { name: other }: EntityType,
  {
    requested,
    isRelated,
    count,
  }: { requested: string | undefined; isRelated: boolean; count: number },
) {
  if (count > 1) {
    const message = `is required: ${type} relates to ${other} both forward and backward`;
    return { path: 'query.direction', message };
  }
  if (isRelated) {
    const message = `must be a relation between ${type} and ${other} in that direction`;
    return { path: 'query.relation', message };
  }
  const message = `must be a type that ${type} relates to, or that relates to it`;
  if (requested === undefined) return { path: 'path.otherType', message };
  return {
    path: 'query.direction',
    message: `must be a direction in which ${type} and ${other} are related`,
  };
}

function relationsTo(type: EntityType, { name }: EntityType): string[] {
  return type.relations.filter(({ to }) => to === name).map((relation) => relation.name);
}
