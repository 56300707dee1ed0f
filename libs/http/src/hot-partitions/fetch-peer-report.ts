import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6 } from 'node:net';
import { maxPartitions, processReport } from './report-schema.ts';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { ProcessReport } from './report-schema.ts';

export interface PeerQuestion {
  /** Of its API. */
  url: string;
  /** One of those that the URL stands for. */
  address: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Bytes of an answer: a report of a hundred keys is a tenth of it. */
const maxResponseBytes = 1_000_000;

/** Why there is no report of a peer. */
export interface PeerFailure {
  /** In words, for the report of the process that asks. */
  why: string;
  /** Whether the peer answered that the request was not allowed. */
  isRefused?: boolean;
}

class BadAnswer extends Error {
  readonly isRefused: boolean;

  constructor(why: string, isRefused = false) {
    super(why);
    this.isRefused = isRefused;
  }
}

/**
 * The report of the process at this address, where it gives one; otherwise why not. Redirects are not followed: what is sent
 * along is for this peer only.
 */
export async function askPeer(question: PeerQuestion): Promise<ProcessReport | PeerFailure> {
  try {
    const response = await answerOf(question);
    try {
      return await reportIn(response);
    } finally {
      response.destroy();
    }
  } catch (error) {
    return failureOf(error, question.signal);
  }
}

function answerOf({ url: base, address, headers, signal }: PeerQuestion): Promise<IncomingMessage> {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/hot-partitions`;
  url.search = `limit=${maxPartitions}`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  // A connection of its own: those of a pool are told apart by name, and of one name there are several processes. The name
  // stays in the URL, for the Host header and for the certificate.
  request(url, { agent: false, lookup: always(address), headers, signal })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

/** Whatever the name, this address. */
function always(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4;
  return (_name, { all }, callback) => {
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

async function reportIn(response: IncomingMessage): Promise<ProcessReport> {
  const { statusCode } = response;
  if (statusCode !== 200) {
    throw new BadAnswer(`it answered ${statusCode}`, statusCode === 401 || statusCode === 403);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new BadAnswer('it answered with more than 1 MB');
    chunks.push(chunk);
  }
  const report = processReport.safeParse(jsonOf(Buffer.concat(chunks)));
  if (!report.success) throw new BadAnswer('it answered with something that is no report');
  return report.data;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown, signal: AbortSignal): PeerFailure {
  if (error instanceof BadAnswer) return { why: error.message, isRefused: error.isRefused };
  if (signal.aborted) return { why: 'it did not answer in time' };
  const { code, name } = error as NodeJS.ErrnoException;
  return { why: `it could not be asked (${code ?? name})` };
}
