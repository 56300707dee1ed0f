import { Problem } from '@engawa/errors';
import { whenServed } from '../route/when-served.ts';
import { clientKeyOf } from './client-key.ts';
import { ClientCounts, isWithinShare } from './client-share.ts';
import type { Logger } from 'pino';
import type { ExchangeHandler } from '../route/exchange.ts';

export interface InFlightLimits {
  /** Rejects requests above the maximum before any work is done on them; otherwise all requests would be slow. */
  total: ExchangeHandler;
  /** Rejects requests above the share of their client, after authentication. */
  share: ExchangeHandler;
}

/**
 * Two middlewares that share `maximum` slots among clients; both count a request until its response ends, or becomes an
 * event stream.
 */
export function inFlightLimits({ maximum, log }: { maximum: number; log: Logger }): InFlightLimits {
  let inFlight = 0;
  let isShedding = false;
  const ofClient = new ClientCounts();
  return {
    total: (_request, response, next) => {
      if (inFlight >= maximum) {
        if (!isShedding)
          log.warn({ inFlight }, 'rejecting requests with 503: MAX_REQUESTS_IN_FLIGHT is reached');
        isShedding = true;
        throw new Problem(
          'overloaded',
          'The service has reached its maximum number of concurrent requests.',
        );
      }
      inFlight += 1;
      whenServed(response, () => {
        inFlight -= 1;
        if (inFlight < maximum / 2) isShedding = false;
      });
      next();
    },
    share: (request, response, next) => {
      const client = clientKeyOf(request, response);
      const own = ofClient.of(client);
      const free = maximum - (inFlight - 1); // `total` has counted this request
      if (!isWithinShare(own, free)) {
        const detail = `This client has ${own} concurrent requests, the maximum for one client at the moment.`;
        throw new Problem('too-many-at-once', detail);
      }
      ofClient.add(client);
      whenServed(response, () => ofClient.remove(client));
      next();
    },
  };
}
