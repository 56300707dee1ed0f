import { Problem } from '@engawa/errors';
import { serviceNames } from '../services.ts';
import type { ServiceName, ServiceUrls } from '../services.ts';

/** Milliseconds for a service to check a token. */
const timeoutMs = 4000;

export type TokenCheck =
  | { kind: 'valid' }
  | { kind: 'refused'; problem: Problem }
  /** No service could check the token. */
  | { kind: 'unknown'; services: { name: ServiceName; answers: boolean }[] };

/**
 * The console does not verify tokens itself: the first service that can, decides. Hot partitions cost no request to the
 * table, and need the same scope. The other services are asked at the same time where the first one cannot.
 */
export async function checkToken(authorization: string, urls: ServiceUrls): Promise<TokenCheck> {
  const missing = new Problem('unauthenticated', 'The token is missing or not valid.');
  if (authorization === '') return { kind: 'refused', problem: missing };
  const [first, ...others] = serviceNames;
  const ask = (name: ServiceName) => askService(urls[name], authorization);
  const statuses = [await ask(first)];
  if (!decides(statuses[0])) statuses.push(...(await Promise.all(others.map(ask))));
  const status = statuses.find(decides);
  if (status === undefined) {
    const services = serviceNames.map((name, index) => {
      return { name, answers: statuses[index] !== undefined };
    });
    return { kind: 'unknown', services };
  }
  if (status === 401) return { kind: 'refused', problem: missing };
  if (status === 403) {
    const problem = new Problem('forbidden', 'The token lacks the scope read.');
    return { kind: 'refused', problem };
  }
  return { kind: 'valid' };
}

/** @returns its status; undefined where it does not answer */
async function askService(url: string, authorization: string): Promise<number | undefined> {
  const response = await fetch(`${url}/v1/hot-partitions?limit=1`, {
    headers: { authorization },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status;
}

function decides(status: number | undefined): status is number {
  return status !== undefined && (status < 300 || status === 401 || status === 403);
}
