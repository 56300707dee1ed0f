import { Problem } from '@engawa/errors';
import { resolveHostByDns, sendProblem } from '@engawa/http';
import { serviceNames } from '../services.ts';
import { StatusWatch } from './status-watch.ts';
import type { ExchangeHandler, ResolveHost } from '@engawa/http';
import type { Config } from '../config.ts';
import type { ServiceUrls } from '../services.ts';

/** Milliseconds for a service to check a token. */
const timeoutMs = 4000;

export interface StatusRouteOptions {
  config: Config;
  urls: ServiceUrls;
  /** Aborts when closing begins. */
  signal: AbortSignal;
  resolveHost?: ResolveHost | undefined;
}

/** `GET /api/status`: the state of all services, their alerts, and what they cost. */
export function statusRoute({
  config,
  urls,
  signal,
  resolveHost = resolveHostByDns,
}: StatusRouteOptions): ExchangeHandler {
  const watch = new StatusWatch({ config, resolveHost, signal });
  return async (request, response) => {
    const { exchange } = response.locals;
    exchange.route = '/api/status';
    if (config.AUTH_MODE === 'jwt') {
      const refusal = await checkToken(request.get('authorization') ?? '', urls);
      if (refusal !== undefined) {
        sendProblem(refusal, response);
        return;
      }
    }
    response.json(await watch.report());
  };
}

/**
 * The console does not verify tokens itself: the first service that answers decides. Hot partitions cost no request to
 * the table, and need the same scope.
 */
async function checkToken(authorization: string, urls: ServiceUrls): Promise<Problem | undefined> {
  for (const name of serviceNames) {
    const response = await fetch(`${urls[name]}/v1/hot-partitions?limit=1`, {
      headers: { authorization },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return undefined;
    if (response?.status === 401) {
      return new Problem('unauthenticated', 'The token is missing or not valid.');
    }
    if (response?.status === 403) {
      return new Problem('forbidden', 'The token lacks the scope read.');
    }
  }
  return new Problem('service-unreachable', 'No service is reachable that could check the token.');
}
