import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses that a name has. */
export type LookUp = (name: string) => Promise<string[]>;

export const systemLookUp: LookUp = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * All addresses that the host of a URL has: the name of a headless service stands for all of its replicas.
 * @throws whatever `signal` aborts with, and what looking the name up fails with
 */
export async function addressesOf(
  url: string,
  lookUp: LookUp,
  signal: AbortSignal,
): Promise<string[]> {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'); // an IPv6 address has brackets
  if (isIP(host) !== 0) return [host];
  return [...new Set(await orAborted(lookUp(host), signal))].sort();
}

/** A lookup cannot be called off, but need not be waited for. */
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
