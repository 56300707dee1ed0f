import { maxUnique } from './type-schemas.ts';
import type { FieldError } from '@engawa/errors';
import type { AttributeKind } from '@engawa/model';
import type { TypeBody } from './type-schemas.ts';

/** Kinds of which equal values are one text. */
const uniqueKinds: readonly AttributeKind[] = ['text', 'number', 'instant'];

export function uniqueFaults({ attributes }: TypeBody): FieldError[] {
  const count = attributes.filter(({ unique }) => unique).length;
  const tooMany = {
    path: 'body.attributes',
    message: `must have at most ${maxUnique} unique ones, not ${count}`,
  };
  return [
    ...(count > maxUnique ? [tooMany] : []),
    ...attributes.flatMap(({ kind, automatic, unique }, index) => {
      const path = `body.attributes[${index}].unique`;
      if (!unique) return [];
      if (automatic !== undefined) return [{ path, message: 'must not be of an automatic one' }];
      if (uniqueKinds.includes(kind)) return [];
      return [{ path, message: `must be of a text, a number or an instant, not of a ${kind}` }];
    }),
  ];
}
