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

/** `fetch` with the user's token. For paths that `api` lacks. */
export function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  return authorized((authorization) => {
    const headers = { ...(init.headers as Record<string, string>), ...authorization };
    return fetch(input, { ...init, headers });
  });
}

/**
 * Sends a request with the headers that authenticate the user. A rejected token (401) is renewed once if the issuer
 * gave a refresh token; otherwise the user signs in again.
 */
export async function authorized<Answer extends { status: number }>(
  send: (headers: Record<string, string>) => Promise<Answer>,
): Promise<Answer> {
  const used = authorization();
  const response = await send(used);
  if (response.status !== 401) return response;
  const isRenewed = await renewRejected(used);
  const again = isRenewed ? await send(authorization()) : response;
  if (again.status === 401) signOut({ reason: 'rejected' });
  return again;
}
