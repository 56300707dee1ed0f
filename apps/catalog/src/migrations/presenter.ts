import { presentEntity, presentNames, readFields } from './present-entity.ts';
import type { Entity, EntityType } from '@engawa/model';
import type { Fields } from '../values/fields.ts';

/** Migrates entities of several types to their current declarations. */
export function presenter(types: readonly EntityType[]) {
  const known = new Map(types.map((type) => [type.name, type]));
  return {
    presentEntity: (entity: Entity): Entity => {
      const type = known.get(entity.type);
      return type === undefined ? entity : presentEntity(entity, type);
    },
    /** For relations from an entity of that type. */
    presentNames: (names: readonly string[], typeName: string): readonly string[] => {
      const type = known.get(typeName);
      return type === undefined ? names : presentNames(names, type);
    },
    readFields: (fields: Fields | undefined) => readFields(fields, types),
  };
}
