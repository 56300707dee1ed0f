import { noMigration } from './check-migration.ts';
import { nameBefore, namesIn } from './planned-steps.ts';
import type { FieldError } from '@engawa/errors';
import type { EntityType } from '@engawa/model';
import type { TypeDefinition } from '../check/check-type.ts';

/**
 * While there are entities, a unique attribute must keep its name and kind, and an existing attribute must not become
 * unique: so exactly the values that entities have are claimed.
 */
export function incompatibleUnique(type: EntityType, definition: TypeDefinition): FieldError[] {
  return [...lostErrors(type, definition), ...newErrors(type, definition)];
}

function lostErrors({ attributes }: EntityType, definition: TypeDefinition): FieldError[] {
  const stays = ({ name, kind }: EntityType['attributes'][number]) =>
    definition.attributes.some(
      (now) => now.name === name && now.unique === true && now.kind === kind,
    );
  return attributes
    .filter((attribute) => attribute.unique === true && !stays(attribute))
    .map(({ name, kind }) => ({
      path: 'body.attributes',
      message: `must keep the unique ${kind} ${JSON.stringify(name)} unchanged`,
    }));
}

function newErrors(type: EntityType, definition: TypeDefinition): FieldError[] {
  const { attributes, migration = noMigration } = definition;
  const names = namesIn(type.attributes);
  const wasUnique = new Set(
    type.attributes.flatMap(({ name, unique }) => (unique === true ? [name] : [])),
  );
  return attributes.flatMap(({ name, unique }, index) => {
    if (unique !== true || wasUnique.has(name)) return [];
    const mayExist = nameBefore(names, name, migration) !== undefined || type.additional === true;
    if (!mayExist) return [];
    const message = 'must not become true: existing entities may have equal values';
    return [{ path: `body.attributes[${index}].unique`, message }];
  });
}
