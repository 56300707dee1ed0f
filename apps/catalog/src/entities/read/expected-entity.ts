import { Problem } from '@engawa/errors';
import type { ExpectedState, Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { ItemCollection } from './item-collection.ts';

/** The entity, if it exists in the expected revision. @throws Problem `entity-not-found`, `version-mismatch` */
export function expectEntity(
  { entity }: ItemCollection,
  name: EntityName,
  revision: Revision | undefined,
): Entity {
  if (entity === undefined || entity.gone === true) throw entityNotFound(name);
  if (revision !== undefined && !isSameRevision(entity, revision)) throw mismatch(name, entity);
  return entity;
}

export function entityNotFound({ type, id }: EntityName): Problem {
  return new Problem('entity-not-found', `There is no ${type} "${id}".`);
}

/** @throws Problem `already-exists`, `entity-not-found`, `version-mismatch` */
export function checkExpected(
  name: EntityName,
  existing: Entity | undefined,
  expected: ExpectedState<Revision>,
): void {
  if (expected === undefined) return;
  if (expected === 'absent') {
    if (existing === undefined) return;
    throw new Problem('already-exists', `${name.type} "${name.id}" already exists.`);
  }
  if (existing === undefined) throw entityNotFound(name);
  if (expected !== 'present' && !isSameRevision(existing, expected)) throw mismatch(name, existing);
}

export function isSameRevision(entity: Entity, { version, creation }: Revision): boolean {
  return entity.version === version && entity.creation === creation;
}

function mismatch({ type, id }: EntityName, { version }: Entity): Problem {
  const detail = `${type} "${id}" now has another ETag, and version ${version}.`;
  return new Problem('version-mismatch', detail);
}
