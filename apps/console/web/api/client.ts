import { createClient } from '@engawa/client';
import { authorization, renewRejected, signOut } from './session.ts';

/** The operations of the four services: `api.registry.listDevices({ limit: 10 })`. */
export const api = createClient({
  url: {
    ingestion: '/api/ingestion',
    registry: '/api/registry',
    query: '/api/query',
    catalog: '/api/catalog',
  },
  maxRetries: 1,
  maxRetryDelayMs: 2000,
  fetch: authorizedFetch,
});

/**
 * `fetch` with the user's token. A rejected token (401) is renewed once if the issuer gave a refresh token; otherwise
 * the user signs in again. For paths that `api` lacks.
 */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const used = authorization();
  const response = await send(input, init, used);
  if (response.status !== 401) return response;
  const isRenewed = await renewRejected(used);
  const again = isRenewed ? await send(input, init, authorization()) : response;
  if (again.status === 401) signOut({ reason: 'rejected' });
  return again;
}

function send(
  input: RequestInfo | URL,
  init: RequestInit,
  authorized: Record<string, string>,
): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), ...authorized };
  return fetch(input, { ...init, headers });
}
