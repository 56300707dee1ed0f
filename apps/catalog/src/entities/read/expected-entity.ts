import { Problem } from '@engawa/errors';
import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Collection } from './item-collection.ts';

/** The entity, of the version that was expected. @throws Problem `entity-not-found`, `version-mismatch` */
export function presentEntity(
  { entity }: Collection,
  name: EntityName,
  revision: Revision | undefined,
): Entity {
  if (entity === undefined || entity.gone === true) throw notFound(name);
  if (revision !== undefined && !isSameRevision(entity, revision)) throw mismatch(name, entity);
  return entity;
}

export function notFound({ type, id }: EntityName): Problem {
  return new Problem('entity-not-found', `There is no ${type} "${id}".`);
}

/** @throws Problem `already-exists`, `entity-not-found`, `version-mismatch` */
export function checkExpected(
  name: EntityName,
  there: Entity | undefined,
  expected: ExpectedState<Revision>,
): void {
  if (expected === undefined) return;
  if (expected === 'absent') {
    if (there === undefined) return;
    throw new Problem('already-exists', `There is ${name.type} "${name.id}" already.`);
  }
  if (there === undefined) throw notFound(name);
  if (expected !== 'present' && !isSameRevision(there, expected)) throw mismatch(name, there);
}

export function isSameRevision(entity: Entity, { version, creation }: Revision): boolean {
  return entity.version === version && entity.creation === creation;
}

function mismatch({ type, id }: EntityName, { version }: Entity): Problem {
  const detail = `${type} "${id}" has another ETag by now, and version ${version}.`;
  return new Problem('version-mismatch', detail);
}
