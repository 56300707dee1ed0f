import { mergeReports } from '@engawa/heat';
import { addressesOf } from './addresses-of.ts';
import { askPeer } from './ask-peer.ts';
import { mostPartitions } from './report-schema.ts';
import type { HeatReport } from '@engawa/heat';
import type { LookUp } from './addresses-of.ts';
import type { AskedProcess, ProcessReport } from './report-schema.ts';

export interface MergePeersOptions {
  /** URLs of APIs. */
  peers: readonly string[];
  lookUp: LookUp;
  /** Sent along, so that peers let in whom this process has let in. */
  headers: Record<string, string>;
  signal: AbortSignal;
}

interface PeerAnswer {
  url: string;
  address?: string;
  answer: ProcessReport | { why: string };
}

/** Milliseconds for all of it: names are looked up and peers asked at the same time. */
const deadlineMs = 2000;

/** Addresses of one peer that are asked. */
const mostAddresses = 256;

/** What all peers that answer know together, and who they are. One that does not answer is named, and holds up nothing. */
export async function mergePeers(
  options: MergePeersOptions,
): Promise<{ report: HeatReport | undefined; processes: AskedProcess[] }> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(deadlineMs)]);
  const urls = [...new Set(options.peers)];
  const asked = await Promise.all(urls.map((url) => askAddresses(url, { ...options, signal })));
  options.signal.throwIfAborted();
  const reports = new Map<string, HeatReport>();
  const processes = asked.flat().map(({ answer, ...peer }): AskedProcess => {
    if ('why' in answer) return { ...peer, answered: false, why: answer.why };
    const { process, ...report } = answer;
    // With two addresses, or under two names, it is still one process.
    if (!reports.has(process)) reports.set(process, report);
    return { ...peer, answered: true, process };
  });
  const known = [...reports.values()];
  const report = known.length === 0 ? undefined : mergeReports(known, mostPartitions);
  return { report, processes };
}

async function askAddresses(
  url: string,
  { lookUp, headers, signal }: MergePeersOptions,
): Promise<PeerAnswer[]> {
  const addresses = await addressesOf(url, lookUp, signal).catch(whyUnknown);
  if ('why' in addresses) return [{ url, answer: addresses }];
  const why = `it was not asked: the name has more than ${mostAddresses} addresses`;
  return Promise.all(
    addresses.map(async (address, index) => {
      if (index >= mostAddresses) return { url, address, answer: { why } };
      return { url, address, answer: await askPeer({ url, address, headers, signal }) };
    }),
  );
}

function whyUnknown(error: Error & { code?: string }): { why: string } {
  const { name, code } = error;
  if (name === 'TimeoutError') return { why: 'its name took too long to look up' };
  if (code === 'ENOTFOUND') return { why: 'its name has no address' };
  return { why: `its name could not be looked up (${code ?? name})` };
}
