import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { always } from './resolve-addresses.ts';
import { maxPartitions, processReport } from './report-schema.ts';
import type { IncomingMessage } from 'node:http';
import type { ProcessReport } from './report-schema.ts';

export interface PeerRequest {
  /** URL of the API of the peer. */
  url: string;
  /** One of the addresses of its host. */
  address: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Size of a response body; a report of a hundred keys has a tenth of it. */
const maxResponseBytes = 1_000_000;

/** Why a peer has no report. */
export interface PeerFailure {
  /** For the merged report. */
  why: string;
  /** Whether the peer responded with 401 or 403. */
  isRefused?: boolean;
}

class BadResponse extends Error {
  readonly isRefused: boolean;

  constructor(why: string, isRefused = false) {
    super(why);
    this.isRefused = isRefused;
  }
}

/**
 * Fetches the report of the process at an address. @returns the report, or why there is none.
 * Redirects are not followed, since the request headers have a token for this peer only.
 */
export async function fetchPeerReport(question: PeerRequest): Promise<ProcessReport | PeerFailure> {
  try {
    const response = await responseOf(question);
    try {
      return await reportIn(response);
    } finally {
      response.destroy();
    }
  } catch (error) {
    return failureOf(error, question.signal);
  }
}

function responseOf({
  url: base,
  address,
  headers,
  signal,
}: PeerRequest): Promise<IncomingMessage> {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/hot-partitions`;
  url.search = `limit=${maxPartitions}`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  // Without a connection pool: pools are keyed by host name, and several processes share one. The
  // name stays in the URL, for the Host header and the certificate.
  request(url, { agent: false, lookup: always(address), headers, signal })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

async function reportIn(response: IncomingMessage): Promise<ProcessReport> {
  const { statusCode } = response;
  if (statusCode !== 200) {
    throw new BadResponse(`its status is ${statusCode}`, statusCode === 401 || statusCode === 403);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new BadResponse('its response has more than 1 MB');
    chunks.push(chunk);
  }
  const report = processReport.safeParse(jsonOf(Buffer.concat(chunks)));
  if (!report.success) throw new BadResponse('its response is not a report');
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
  if (error instanceof BadResponse) return { why: error.message, isRefused: error.isRefused };
  if (signal.aborted) return { why: 'it did not respond in time' };
  const { code, name } = error as NodeJS.ErrnoException;
  return { why: `the request failed (${code ?? name})` };
}
