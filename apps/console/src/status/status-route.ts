import { resolveHostByDns, sendProblem } from '@engawa/http';
import { checkToken } from './check-token.ts';
import { StatusWatch } from './status-watch.ts';
import type { ExchangeHandler, ResolveHost } from '@engawa/http';
import type { Config } from '../config.ts';
import type { ServiceUrls } from '../services.ts';
import type { UnverifiedStatus } from './status-report.ts';

export interface StatusRouteOptions {
  config: Config;
  urls: ServiceUrls;
  /** Aborts when closing begins. */
  signal: AbortSignal;
  resolveHost?: ResolveHost | undefined;
}

/**
 * `GET /api/status`: the state of all services, their alerts, and their costs. While no service can check tokens, the
 * response says only which services answer (docs/adr/0089-status-without-services.md).
 */
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
      const check = await checkToken(request.get('authorization') ?? '', urls);
      if (check.kind === 'refused') {
        sendProblem(check.problem, response);
        return;
      }
      if (check.kind === 'unknown') {
        const { services } = check;
        const time = new Date().toISOString();
        response.status(503).json({ time, services } satisfies UnverifiedStatus);
        return;
      }
    }
    response.json(await watch.report());
  };
}
