import { noMigration } from './check-migration.ts';
import { nameBefore, namesIn } from './planned-steps.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType } from '@engawa/model';
import type { TypeDefinition } from '../check/check-type.ts';

/**
 * While there are entities, what is unique stays so, under its name and of its kind, and nothing that entities may have becomes
 * unique: so each value that one of them has is claimed, and none that none has.
 */
export function unfitUnique(type: EntityType, definition: TypeDefinition): FieldError[] {
  return [...lostFaults(type, definition), ...newFaults(type, definition)];
}

function lostFaults({ attributes }: EntityType, definition: TypeDefinition): FieldError[] {
  const stays = ({ name, kind }: EntityType['attributes'][number]) =>
    definition.attributes.some(
      (now) => now.name === name && now.unique === true && now.kind === kind,
    );
  return attributes
    .filter((attribute) => attribute.unique === true && !stays(attribute))
    .map(({ name, kind }) => ({
      path: 'body.attributes',
      message: `must have the unique ${kind} ${JSON.stringify(name)} as it is`,
    }));
}

function newFaults(type: EntityType, definition: TypeDefinition): FieldError[] {
  const { attributes, migration = noMigration } = definition;
  const names = namesIn(type.attributes);
  const wasUnique = new Set(
    type.attributes.flatMap(({ name, unique }) => (unique === true ? [name] : [])),
  );
  return attributes.flatMap(({ name, unique }, index) => {
    if (unique !== true || wasUnique.has(name)) return [];
    const mayBeThere = nameBefore(names, name, migration) !== undefined || type.additional === true;
    if (!mayBeThere) return [];
    const message = 'must not become true: entities may have the same value already';
    return [{ path: `body.attributes[${index}].unique`, message }];
  });
}
