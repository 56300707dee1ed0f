import { maxUnique } from './type-schemas.ts';
import type { FieldError } from '@engawa/errors';
import type { AttributeKind } from '@engawa/model';
import type { TypeBody } from './type-schemas.ts';

/** Kinds whose equal values have one canonical text. */
const uniqueKinds: readonly AttributeKind[] = ['text', 'number', 'instant'];

export function uniqueErrors({ attributes }: TypeBody): FieldError[] {
  const count = attributes.filter(({ unique }) => unique).length;
  const tooMany = {
    path: 'body.attributes',
    message: `must have at most ${maxUnique} unique attributes, not ${count}`,
  };
  return [
    ...(count > maxUnique ? [tooMany] : []),
    ...attributes.flatMap(({ kind, automatic, unique }, index) => {
      const path = `body.attributes[${index}].unique`;
      if (!unique) return [];
      if (automatic !== undefined)
        return [{ path, message: 'must not be on an automatic attribute' }];
      if (uniqueKinds.includes(kind)) return [];
      return [{ path, message: `must be on a text, a number or an instant, not on a ${kind}` }];
    }),
  ];
}
