import { createClient } from '@engawa/client';
import { authorization, expireSession, renewRejected, untilSignedIn } from './session.ts';

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
  // Attempts have a limit of their own: between two of them, the user may have to sign in.
  timeoutMs: Infinity,
  fetch: (input, init) => authorizedFetch(input, init, attemptMs),
});

/**
 * `fetch` with the user's token, for paths that `api` lacks.
 * @param init its body is a text or absent: it may be sent several times
 * @param timeoutMs of an attempt; by default none, for streams
 */
export function authorizedFetch(
  input: RequestInfo | URL,
  init: RequestInit = {},
  timeoutMs?: number,
): Promise<Response> {
  const attempt = (authorized: Record<string, string>): Promise<Response> =>
    send(input, { ...init, headers: headersOf(init, authorized) }, timeoutMs);
  return authorized(attempt, init.signal ?? undefined);
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

/** What `authorized` needs of a response. */
interface Answer {
  status: number;
  body?: { cancel: () => Promise<void> } | null;
}

/**
 * Sends a request with the headers that authenticate the user. A rejected token (401) is renewed once if the issuer
 * gave a refresh token. Otherwise the request, which had no effect, waits for the user's next sign-in, and is sent
 * again.
 * @param attempt may be called several times
 */
export async function authorized<Given extends Answer>(
  attempt: (headers: Record<string, string>) => Promise<Given>,
  signal?: AbortSignal,
): Promise<Given> {
  for (;;) {
    await untilSignedIn(signal);
    const answer = await attemptRenewed(attempt);
    if (answer.status !== 401 || !(await untilSignedIn(signal))) return answer;
    await answer.body?.cancel();
  }
}

async function attemptRenewed<Given extends Answer>(
  attempt: (headers: Record<string, string>) => Promise<Given>,
): Promise<Given> {
  let used = authorization();
  let answer = await attempt(used);
  if (answer.status !== 401) return answer;
  if (await renewRejected(used)) {
    await answer.body?.cancel();
    used = authorization();
    answer = await attempt(used);
  }
  if (answer.status === 401) expireSession(used);
  return answer;
}
