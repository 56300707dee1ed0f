import { resolveAddresses } from '@engawa/http';
import { fetchPeerReport } from './fetch-peer-report.ts';
import type { ResolveHost } from '@engawa/http';
import type { PeerFailure, PeerQuestion } from './fetch-peer-report.ts';

/** The peers, and how requests to them are sent. */
export interface PeerReportsOptions {
  /** URLs of the APIs of the peers. */
  peers: readonly string[];
  resolveHost: ResolveHost;
  /** Request headers with the authentication for the peers. */
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** The report of one peer address, or why there is none. */
export interface PeerResponse<Report> {
  url: string;
  /** Absent where the host name of the URL could not be resolved. */
  address?: string;
  answer: Report | PeerFailure;
}

/** Timeout of a round: for DNS lookups and requests together. */
export const peerDeadlineMs = 2000;

/** Addresses of one host name to which requests are sent. */
const maxAddresses = 256;

/** Fetches the reports of all addresses of all peers concurrently, each URL once, within `peerDeadlineMs`. */
export async function fetchPeerReports<Report>(
  question: PeerQuestion<Report>,
  options: PeerReportsOptions,
): Promise<PeerResponse<Report>[]> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(peerDeadlineMs)]);
  const urls = [...new Set(options.peers)];
  const responses = await Promise.all(
    urls.map((url) => fetchFromAddresses(url, question, { ...options, signal })),
  );
  return responses.flat();
}

async function fetchFromAddresses<Report>(
  url: string,
  question: PeerQuestion<Report>,
  { resolveHost, headers, signal }: PeerReportsOptions,
): Promise<PeerResponse<Report>[]> {
  const addresses = await resolveAddresses(url, resolveHost, signal).catch(explainLookupFailure);
  if ('why' in addresses) return [{ url, answer: addresses }];
  const why = `no request was sent: the host name has more than ${maxAddresses} addresses`;
  return Promise.all(
    addresses.map(async (address, index) => {
      if (index >= maxAddresses) return { url, address, answer: { why } };
      const answer = await fetchPeerReport({ question, url, address, headers, signal });
      return { url, address, answer };
    }),
  );
}

function explainLookupFailure(error: Error & { code?: string }): PeerFailure {
  const { name, code } = error;
  if (name === 'TimeoutError') return { why: 'the DNS lookup of its host name timed out' };
  if (code === 'ENOTFOUND') return { why: 'its host name has no address' };
  return { why: `the DNS lookup of its host name failed (${code ?? name})` };
}
