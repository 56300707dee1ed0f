import { Problem } from '@engawa/errors';
import type { ProblemCode } from '@engawa/errors';
import type { EntityType } from '@engawa/model';
import type { KnownTypes } from './known-types.ts';

/** Problems that an outdated cached type may cause. */
const typeDependentCodes: ReadonlySet<ProblemCode> = new Set([
  'invalid-request',
  'search-not-found',
  'search-building',
]);

/**
 * Runs the work with the cached types. If it fails with a problem that depends on them, another replica may have
 * changed a type a moment ago: then runs it again with the types in the table, if they differ.
 * @throws Problem `type-not-found`, or of the work
 */
export async function withKnownTypes<Result>(
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
    if (!(error instanceof Problem && typeDependentCodes.has(error.code))) throw error;
    await types.refresh();
    const current = await all();
    if (current.every((type, index) => type === known[index])) throw error;
    return work(...(current as [EntityType]));
  }
}
