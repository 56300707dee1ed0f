import { isDeepStrictEqual } from 'node:util';
import { throwFieldErrors } from '../../values/invalid-request.ts';
import type { FieldError } from '@engawa/errors';
import type { Entity, EntityType } from '@engawa/model';

/** Parts of a content that only an entity may have that is older than the declaration of its type. */
export interface OlderContent {
  /** Required attributes that it lacks. */
  missing: readonly string[];
  /** Why the value of an attribute does not fit its declaration, which an open type got later. */
  unfit: ReadonlyMap<string, string>;
}

interface CheckedContent {
  attributes: ReadonlyMap<string, unknown>;
  older?: OlderContent | undefined;
}

/**
 * Refuses content that does not fit its type, unless the stored entity has the same values: a response can be sent back
 * after any change of its type. @throws Problem `invalid-request`
 */
export function refuseOlder(
  { attributes, older }: CheckedContent,
  existing: Pick<Entity, 'attributes'> | undefined,
): void {
  if (older === undefined) return;
  const isStored = (name: string) =>
    existing !== undefined &&
    isDeepStrictEqual(existing.attributes.get(name), attributes.get(name));
  const missing = older.missing.filter((name) => !isStored(name));
  const unfit = [...older.unfit].filter(([name]) => !isStored(name));
  throwFieldErrors(olderErrors({ missing, unfit: new Map(unfit) }));
}

/** The required attributes that are not among these. */
export function missingAmong(
  { attributes }: EntityType,
  given: ReadonlyMap<string, unknown>,
): string[] {
  return attributes
    .filter(
      ({ name, required, automatic }) => required && automatic === undefined && !given.has(name),
    )
    .map(({ name }) => name);
}

/** The errors of a content for a new entity. */
export function olderErrors({ missing, unfit }: OlderContent): FieldError[] {
  const errors = [...missing.map((name) => [name, 'is required'] as const), ...unfit];
  return errors.map(([name, message]) => ({
    path: `body.attributes.${name.toWellFormed()}`,
    message,
  }));
}
