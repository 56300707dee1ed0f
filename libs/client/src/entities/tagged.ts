import { ProblemError } from '../http/problem-error.ts';
import type { ServiceResponse } from '../http/http-client.ts';

/** The type parameter is safe because the catalog validates entities against the declaration. */
export function tagged({ body, etag }: ServiceResponse<object>): never {
  return { ...body, etag } as never;
}

/** Content that may be an entity as a method returned it: the service takes no `etag` in a body. */
export function withoutTag(given: object): object {
  return { ...given, etag: undefined };
}

/** Undefined where there is no such entity. */
export async function taggedOrAbsent(answer: Promise<ServiceResponse<object>>): Promise<never> {
  try {
    return tagged(await answer);
  } catch (error) {
    if (error instanceof ProblemError && error.type === 'entity-not-found')
      return undefined as never;
    throw error;
  }
}
