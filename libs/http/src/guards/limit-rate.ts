import { isIP } from 'node:net';
import { Problem } from '@engawa/errors';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import type { ExchangeRequest, ExchangeResponse } from '../exchange.ts';

const minute = 60_000;

/** Bits of an IPv6 address that are one customer's, who has all addresses below (RFC 6177). */
const ipv6Subnet = 64;

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

function clientOf(request: ExchangeRequest, response: ExchangeResponse): string {
  const { caller } = response.locals.exchange;
  if (caller !== undefined && !(caller instanceof Problem) && caller.subject !== undefined) {
    return `subject ${caller.subject}`;
  }
  // What a proxy has written need not be an address.
  const address = [request.ip, request.socket.remoteAddress].find((text = '') => isIP(text) !== 0);
  return address === undefined ? 'unknown' : ipKeyGenerator(address, ipv6Subnet);
}
