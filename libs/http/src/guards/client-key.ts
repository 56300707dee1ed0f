import { isIP } from 'node:net';
import { Problem } from '@engawa/errors';
import { ipKeyGenerator } from 'express-rate-limit';
import type { ExchangeRequest, ExchangeResponse } from '../route/exchange.ts';

/** Bits of an IPv6 address that are one customer's, who has all addresses below (RFC 6177). */
const ipv6Subnet = 64;

/** The client that limits count by: the subject of the token, else the address. */
export function clientOf(request: ExchangeRequest, response: ExchangeResponse): string {
  const { caller } = response.locals.exchange;
  if (caller !== undefined && !(caller instanceof Problem) && caller.subject !== undefined) {
    return `subject ${caller.subject}`;
  }
  // What a proxy has written need not be an address.
  const address = [request.ip, request.socket.remoteAddress].find((text = '') => isIP(text) !== 0);
  return address === undefined ? 'unknown' : ipKeyGenerator(address, ipv6Subnet);
}
