import type { FieldError } from '@engawa/errors';
import type { TypeBody } from '../check/type-schemas.ts';

/** What a declaration says of the one before it. It is of no effect where that is as it says already. */
export interface Migration {
  /** By its name now: what an attribute or relation was called before. */
  renamed: ReadonlyMap<string, string>;
  /** Attributes and relations whose values are to go. */
  removed: readonly string[];
  /** Attributes whose values may be converted. */
  converted: ReadonlySet<string>;
}

export const noMigration: Migration = { renamed: new Map(), removed: [], converted: new Set() };

/** Undefined where it says nothing of it. */
export function migrationOf({ attributes, relations, removed }: TypeBody): Migration | undefined {
  const renamed = [...attributes, ...relations].flatMap(({ name, renamedFrom }) =>
    renamedFrom === undefined ? [] : [[name, renamedFrom] as const],
  );
  const converted = attributes.filter(({ convert }) => convert).map(({ name }) => name);
  if (renamed.length + removed.length + converted.length === 0) return undefined;
  return { renamed: new Map(renamed), removed, converted: new Set(converted) };
}

/** What is declared cannot go, or be something else's former name. */
export function migrationFaults({ attributes, relations, removed }: TypeBody): FieldError[] {
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
  const renameFaults = sources.flatMap(({ renamedFrom: name, path }) => {
    if (name === undefined) return [];
    if (declared.has(name)) return [{ path, message: 'must not be declared as well' }];
    if (taken.has(name)) return [{ path, message: 'is removed, or the former name of another' }];
    taken.add(name);
    return [];
  });
  const removeFaults = removed.flatMap((name, index) =>
    declared.has(name)
      ? [{ path: `body.removed[${index}]`, message: 'must not be declared as well' }]
      : [],
  );
  return [...renameFaults, ...removeFaults];
}
