import { Problem } from '@engawa/errors';
import type { Expected } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Collection } from './collection.ts';

/** The entity, of the version that was expected. @throws Problem `entity-not-found`, `version-mismatch` */
export function presentEntity(
  { entity }: Collection,
  name: EntityName,
  version: number | undefined,
): Entity {
  if (entity === undefined || entity.gone === true) throw notFound(name);
  if (version !== undefined && entity.version !== version) throw mismatch(name, entity);
  return entity;
}

export function notFound({ type, id }: EntityName): Problem {
  return new Problem('entity-not-found', `There is no ${type} "${id}".`);
}

/** @throws Problem `already-exists`, `entity-not-found`, `version-mismatch` */
export function checkExpected(
  name: EntityName,
  there: Entity | undefined,
  expected: Expected,
): void {
  if (expected === undefined) return;
  if (expected === 'absent') {
    if (there === undefined) return;
    throw new Problem('already-exists', `There is ${name.type} "${name.id}" already.`);
  }
  if (there === undefined) throw notFound(name);
  if (expected !== 'present' && there.version !== expected) throw mismatch(name, there);
}

function mismatch({ type, id }: EntityName, { version }: Entity): Problem {
  return new Problem('version-mismatch', `${type} "${id}" has version ${version} by now.`);
}
