import { Problem } from '@engawa/errors';
import type { Logger } from 'pino';
import type { ExchangeHandler } from '../exchange.ts';

/** Refuses what is more than `maximum` at once, before it costs anything: all would be late otherwise, not just these. */
export function limitInFlight({ maximum, log }: { maximum: number; log: Logger }): ExchangeHandler {
  let inFlight = 0;
  let isShedding = false;
  return (_request, response, next) => {
    if (inFlight >= maximum) {
      if (!isShedding) log.warn({ inFlight }, 'more requests at once than MAX_REQUESTS_IN_FLIGHT');
      isShedding = true;
      throw new Problem('overloaded', 'The service is answering as many requests as it can.');
    }
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      if (inFlight < maximum / 2) isShedding = false;
    });
    next();
  };
}
