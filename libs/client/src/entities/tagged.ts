import type { ServiceResponse } from '../http/http-client.ts';

/** The type parameter is safe because the catalog validates entities against the declaration. */
export function tagged({ body, etag }: ServiceResponse<object>): never {
  return { ...body, etag } as never;
}
