import { Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import type { EntityType } from '@engawa/model';
import type { KnownTypes } from './known-types.ts';

/** What may be true of a type as it is known here, and no more of the type as it is. */
const ofTheType: ReadonlySet<ProblemCode> = new Set([
  'invalid-request',
  'search-not-found',
  'search-building',
]);

/**
 * What the request means by its types. Where they refuse it, another replica may have changed one a moment ago: then once
 * more, by the types as they are in the table.
 * @throws Problem `type-not-found`, or of the work
 */
export async function byTypes<Result>(
  types: KnownTypes,
  names: readonly [string, ...string[]],
  work: (first: EntityType, ...others: EntityType[]) => Result,
): Promise<Result> {
  const all = () =>
    Promise.all([types.get(names[0]), ...names.slice(1).map((name) => types.get(name))]);
  const known = await all();
  try {
    return work(...(known as [EntityType]));
  } catch (error) {
    if (!(error instanceof Problem && ofTheType.has(error.code))) throw error;
    await types.refresh();
    const current = await all();
    if (current.every((type, index) => type === known[index])) throw error;
    return work(...(current as [EntityType]));
  }
}
