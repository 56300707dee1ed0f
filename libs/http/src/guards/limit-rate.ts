import { Problem } from '@engawa/errors';
import { rateLimit } from 'express-rate-limit';
import { clientKeyOf } from './client-key.ts';
import type { RequestHandler } from 'express';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

const windowMs = 60_000;

/** Limits the requests a minute of one client, with RateLimit headers (draft-ietf-httpapi-ratelimit-headers-08). */
export function limitRate({ perMinute }: { perMinute: number }): RequestHandler {
  return rateLimit({
    windowMs,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Its checks write to the console, also about headers that any client may send.
    validate: false,
    keyGenerator: (request, response) =>
      clientKeyOf(request as unknown as ExchangeRequest, response as ExchangeResponse),
    handler: () => {
      throw new Problem(
        'rate-limited',
        `The limit is ${perMinute} requests a minute for one client.`,
      );
    },
  });
}
