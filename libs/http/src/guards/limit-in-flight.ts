import { Problem } from '@engawa/errors';
import { clientOf } from './client-key.ts';
import type { Logger } from 'pino';
import type { ExchangeHandler } from '../route/exchange.ts';

/**
 * How many requests a client may have in flight for each slot that is free. With 2, a client alone has two thirds of all
 * slots, two have two fifths each, and a new client always finds a slot (dynamic thresholds: Choudhury and Hahne, 1998).
 */
const shareOfFree = 2;

export interface InFlightLimits {
  /** Refuses requests above the maximum, before they cost anything: otherwise all of them would be late. */
  total: ExchangeHandler;
  /** Refuses requests above the share of their client, once it is known which client that is. */
  share: ExchangeHandler;
}

/** The two steps that share `maximum` slots among clients; both count a request until its answer is over. */
export function inFlightLimits({ maximum, log }: { maximum: number; log: Logger }): InFlightLimits {
  let inFlight = 0;
  let isShedding = false;
  const ofClient = new Map<string, number>();
  return {
    total: (_request, response, next) => {
      if (inFlight >= maximum) {
        if (!isShedding)
          log.warn({ inFlight }, 'more concurrent requests than MAX_REQUESTS_IN_FLIGHT');
        isShedding = true;
        throw new Problem('overloaded', 'The service is answering as many requests as it can.');
      }
      inFlight += 1;
      response.once('close', () => {
        inFlight -= 1;
        if (inFlight < maximum / 2) isShedding = false;
      });
      next();
    },
    share: (request, response, next) => {
      const client = clientOf(request, response);
      const own = ofClient.get(client) ?? 0;
      const free = maximum - (inFlight - 1); // `total` has counted this request
      if (own >= shareOfFree * free) {
        const detail = `This client has ${own} requests in flight, and other clients need the rest.`;
        throw new Problem('too-many-at-once', detail);
      }
      ofClient.set(client, own + 1);
      response.once('close', () => {
        const left = (ofClient.get(client) ?? 1) - 1;
        if (left === 0) ofClient.delete(client);
        else ofClient.set(client, left);
      });
      next();
    },
  };
}
