import { kindErrors } from './kind-errors.ts';
import type { FieldError } from '@engawa/errors';
import type { DeclaredFields } from './kind-errors.ts';
import type { TypeBody } from './type-schemas.ts';

const ranked = ['number', 'instant'] as const;

/** Errors in the attributes and the relation of a ranking. */
export function rankingErrors(
  { attribute, ties, within, period }: TypeBody['rankings'][number],
  { path, known }: { path: string; known: DeclaredFields },
): FieldError[] {
  const kind = (name: string, at: string, kinds: readonly (typeof ranked)[number][] = ranked) =>
    kindErrors(name, { path: `${path}.${at}`, known, kinds });
  return [
    ...kind(attribute, 'attribute'),
    ...(ties === undefined ? [] : tiesErrors(ties.attribute)),
    ...(period === undefined ? [] : kind(period.attribute, 'period.attribute', ['instant'])),
    ...withinErrors(),
  ];

  function tiesErrors(name: string): FieldError[] {
    if (name !== attribute) return kind(name, 'ties.attribute');
    return [{ path: `${path}.ties.attribute`, message: 'must be another attribute' }];
  }

  function withinErrors(): FieldError[] {
    if (within === undefined || known.relations.get(within)?.many === false) return [];
    return [{ path: `${path}.within`, message: 'must be a relation of the type to one' }];
  }
}
