import { addressesOf } from './resolve-addresses.ts';
import { askPeer } from './fetch-peer-report.ts';
import type { LookUp } from './resolve-addresses.ts';
import type { PeerFailure } from './fetch-peer-report.ts';
import type { ProcessReport } from './report-schema.ts';

export interface AskPeersOptions {
  /** URLs of APIs. */
  peers: readonly string[];
  lookUp: LookUp;
  /** Sent along, so that peers let in whom this process has let in. */
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** What a process has answered, or why there is no answer of it. */
export interface PeerAnswer {
  url: string;
  /** Absent where the name of the URL has no known address. */
  address?: string;
  answer: ProcessReport | PeerFailure;
}

/** Milliseconds for all of it: names are looked up and peers asked at the same time. */
export const peerDeadlineMs = 2000;

/** Addresses of one peer that are asked. */
const maxAddresses = 256;

/** The reports of all addresses of all peers, each URL once. One that does not answer holds up the others for `peerDeadlineMs`. */
export async function askPeers(options: AskPeersOptions): Promise<PeerAnswer[]> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(peerDeadlineMs)]);
  const urls = [...new Set(options.peers)];
  const asked = await Promise.all(urls.map((url) => askAddresses(url, { ...options, signal })));
  return asked.flat();
}

async function askAddresses(
  url: string,
  { lookUp, headers, signal }: AskPeersOptions,
): Promise<PeerAnswer[]> {
  const addresses = await addressesOf(url, lookUp, signal).catch(whyUnknown);
  if ('why' in addresses) return [{ url, answer: addresses }];
  const why = `it was not asked: the name has more than ${maxAddresses} addresses`;
  return Promise.all(
    addresses.map(async (address, index) => {
      if (index >= maxAddresses) return { url, address, answer: { why } };
      return { url, address, answer: await askPeer({ url, address, headers, signal }) };
    }),
  );
}

function whyUnknown(error: Error & { code?: string }): PeerFailure {
  const { name, code } = error;
  if (name === 'TimeoutError') return { why: 'its name took too long to look up' };
  if (code === 'ENOTFOUND') return { why: 'its name has no address' };
  return { why: `its name could not be looked up (${code ?? name})` };
}
