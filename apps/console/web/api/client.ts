import { createClient } from '@engawa/client';
import { authorization, signOut } from './session.ts';

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

/** `fetch` with the user's token. A rejected token (401) ends the session. For paths that `api` lacks. */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string>), ...authorization() };
  const response = await fetch(input, { ...init, headers });
  if (response.status === 401) signOut({ failed: true });
  return response;
}
