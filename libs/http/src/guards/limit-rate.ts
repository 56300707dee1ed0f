import { Problem } from '@engawa/errors';
import { rateLimit } from 'express-rate-limit';
import { clientOf } from './client-key.ts';
import type { RequestHandler } from 'express';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

const minute = 60_000;

/** So many requests a minute of one client, and the headers that say how many are left (draft-ietf-httpapi-ratelimit-headers-08). */
export function limitRate({ perMinute }: { perMinute: number }): RequestHandler {
  return rateLimit({
    windowMs: minute,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // It would write to the console, about a header that anybody may send.
    validate: false,
    keyGenerator: (request, response) =>
      clientOf(request as unknown as ExchangeRequest, response as ExchangeResponse),
    handler: () => {
      throw new Problem('rate-limited', `More than ${perMinute} requests of one client a minute.`);
    },
  });
}
