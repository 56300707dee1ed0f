import { createClient } from '@engawa/client';
import { authorization, expireSession, renewRejected, untilSignedIn } from './session.ts';

/** Milliseconds for which a request that was rejected (401) waits until the user has signed in again. */
const maxSignInMs = 12 * 3_600_000;
/** Milliseconds for each attempt of a request. */
const attemptMs = 30_000;

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
  timeoutMs: maxSignInMs,
  fetch: (input, init) => authorizedFetch(input, init, attemptMs),
});

/**
 * `fetch` with the user's token, for paths that `api` lacks. A rejected token (401) is renewed once if the issuer gave
 * a refresh token. Otherwise the request, which had no effect, waits for the user's next sign-in and is sent again.
 * @param init its body is a text or absent: it may be sent several times
 * @param timeoutMs of an attempt; by default none, for streams
 */
export async function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
  timeoutMs?: number,
): Promise<Response> {
  for (;;) {
    await untilSignedIn(init.signal ?? undefined);
    const response = await sendRenewed(input, init, timeoutMs);
    if (response.status !== 401 || !(await untilSignedIn(init.signal ?? undefined))) {
      return response;
    }
    await response.body?.cancel();
  }
}

async function sendRenewed(
  input: RequestInfo | URL,
  init: RequestInit,
  timeoutMs: number | undefined,
): Promise<Response> {
  let used = authorization();
  let response = await send(input, { ...init, headers: headersOf(init, used) }, timeoutMs);
  if (response.status !== 401) return response;
  if (await renewRejected(used)) {
    await response.body?.cancel();
    used = authorization();
    response = await send(input, { ...init, headers: headersOf(init, used) }, timeoutMs);
  }
  if (response.status === 401) expireSession(used);
  return response;
}

function send(
  input: RequestInfo | URL,
  init: RequestInit,
  timeoutMs: number | undefined,
): Promise<Response> {
  const { signal } = init;
  if (timeoutMs === undefined) return fetch(input, init);
  const timeout = AbortSignal.timeout(timeoutMs);
  return fetch(input, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
}

function headersOf(init: RequestInit, authorized: Record<string, string>): HeadersInit {
  return { ...(init.headers as Record<string, string>), ...authorized };
}
