import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { LookupFunction } from 'node:net';

/** Resolves a host name to all of its addresses. */
export type ResolveHost = (name: string) => Promise<string[]>;

export const resolveHostByDns: ResolveHost = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * All addresses of the host of a URL: the name of a headless service resolves to all of its replicas.
 * @throws the reason of `signal`, or the error of the DNS lookup
 */
export async function resolveAddresses(
  url: string,
  resolveHost: ResolveHost,
  signal: AbortSignal,
): Promise<string[]> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'); // an IPv6 address has brackets
  if (isIP(host) !== 0) return [host];
  return [...new Set(await orAborted(resolveHost(host), signal))].sort();
}

/** A DNS lookup cannot be cancelled, but need not be awaited. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A lookup that resolves every name to this address. */
export function always(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4;
  return (_name, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
