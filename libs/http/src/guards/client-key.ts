import { isIP } from 'node:net';
import { Problem } from '@engawa/errors';
import { ipKeyGenerator } from 'express-rate-limit';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

/** Prefix length of IPv6 addresses that belong to one customer (RFC 6177). */
const ipv6Subnet = 64;

/** The key by which requests are limited per client: the subject of the token, else the address. */
export function clientKeyOf(request: ExchangeRequest, response: ExchangeResponse): string {
  const { caller } = response.locals.exchange;
  if (caller !== undefined && !(caller instanceof Problem) && caller.subject !== undefined) {
    return `subject ${caller.subject}`;
  }
  // A proxy may have written something that is not an address.
  const address = [request.ip, request.socket.remoteAddress].find((text = '') => isIP(text) !== 0);
  return address === undefined ? 'unknown' : ipKeyGenerator(address, ipv6Subnet);
}
