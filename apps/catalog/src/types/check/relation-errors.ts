import type { FieldError } from '@engawa/errors';
import type { TypeBody } from './type-schemas.ts';

/** Errors in the attributes of relations. */
export function linkErrors({ relations }: TypeBody): FieldError[] {
  return relations.flatMap(({ many, attributes = [] }, index) => {
    const path = `body.relations[${index}].attributes`;
    if (!many && attributes.length > 0) {
      const message =
        'must be on a relation to many; for a relation to one, declare attributes of the entity';
      return [{ path, message }];
    }
    const names = attributes.map(({ name }) => name);
    return names.flatMap((name, at) => {
      const nameAt = `${path}[${at}].name`;
      if (name === '__proto__') return [{ path: nameAt, message: 'must not be "__proto__"' }];
      if (names.indexOf(name) === at) return [];
      return [{ path: nameAt, message: 'must be unique among the attributes of the relation' }];
    });
  });
}
