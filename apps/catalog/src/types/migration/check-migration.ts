import type { FieldError } from '@engawa/errors';
import type { TypeBody } from '../check/type-schemas.ts';

/** The instructions of a declaration to migrate from the previous one. Ignored where they are applied already. */
export interface Migration {
  /** By current name: the previous name of an attribute or relation. */
  renamed: ReadonlyMap<string, string>;
  /** Attributes and relations to delete with their values. */
  removed: readonly string[];
  /** Attributes whose values may be converted. */
  converted: ReadonlySet<string>;
}

export const noMigration: Migration = { renamed: new Map(), removed: [], converted: new Set() };

/** Undefined where the declaration has no migration. */
export function migrationOf({ attributes, relations, removed }: TypeBody): Migration | undefined {
  const renamed = [...attributes, ...relations].flatMap(({ name, renamedFrom }) =>
    renamedFrom === undefined ? [] : [[name, renamedFrom] as const],
  );
  const converted = attributes.filter(({ convert }) => convert).map(({ name }) => name);
  if (renamed.length + removed.length + converted.length === 0) return undefined;
  return { renamed: new Map(renamed), removed, converted: new Set(converted) };
}

/** Errors: a declared name must not be removed, or be the previous name of another. */
export function migrationErrors({ attributes, relations, removed }: TypeBody): FieldError[] {
  const declared = new Set([...attributes, ...relations].map(({ name }) => name));
  const taken = new Set(removed);
  const sources = [
    ...attributes.map(({ renamedFrom }, index) => {
      return { renamedFrom, path: `body.attributes[${index}].renamedFrom` };
    }),
    ...relations.map(({ renamedFrom }, index) => {
      return { renamedFrom, path: `body.relations[${index}].renamedFrom` };
    }),
  ];
  const renameErrors = sources.flatMap(({ renamedFrom: name, path }) => {
    if (name === undefined) return [];
    if (declared.has(name)) return [{ path, message: 'must not be declared as well' }];
    if (taken.has(name)) return [{ path, message: 'is removed, or the previous name of another' }];
    taken.add(name);
    return [];
  });
  const removeErrors = removed.flatMap((name, index) =>
    declared.has(name)
      ? [{ path: `body.removed[${index}]`, message: 'must not be declared as well' }]
      : [],
  );
  return [...renameErrors, ...removeErrors];
}
