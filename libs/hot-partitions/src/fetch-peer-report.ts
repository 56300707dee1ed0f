import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { always } from '@engawa/http';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';

/** What is requested from each peer. */
export interface PeerQuestion<Report> {
  path: string;
  parameters: Record<string, string>;
  /** Unknown fields are ignored, since peers may run another version during an update. */
  schema: z.ZodType<Report>;
  /** Maximum size of a response body. */
  maxBytes: number;
  /** Maximum size of all response bodies together, which are in memory at the same time; unlimited by default. */
  memory?: { bytes: number };
  /** Why a peer has no report if its status is 404: an older version. */
  missing?: string;
}

export interface PeerRequest<Report> {
  question: PeerQuestion<Report>;
  /** URL of the API of the peer. */
  url: string;
  /** One of the addresses of its host. */
  address: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

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
export async function fetchPeerReport<Report>(
  peer: PeerRequest<Report>,
): Promise<Report | PeerFailure> {
  try {
    const response = await responseOf(peer);
    try {
      return await reportIn(response, peer.question);
    } finally {
      response.destroy();
    }
  } catch (error) {
    return failureOf(error, peer.signal);
  }
}

function responseOf({
  question: { path, parameters },
  url: base,
  address,
  headers,
  signal,
}: PeerRequest<unknown>): Promise<IncomingMessage> {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.search = new URLSearchParams(parameters).toString();
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

async function reportIn<Report>(
  response: IncomingMessage,
  { schema, maxBytes, memory, missing }: PeerQuestion<Report>,
): Promise<Report> {
  const { statusCode } = response;
  if (statusCode === 404 && missing !== undefined) throw new BadResponse(missing);
  if (statusCode !== 200) {
    throw new BadResponse(`its status is ${statusCode}`, statusCode === 401 || statusCode === 403);
  }
  const tooLarge = new BadResponse(`its response has more than ${maxBytes / 1e6} MB`);
  if (Number(response.headers['content-length']) > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge;
    if (memory !== undefined && (memory.bytes -= chunk.length) < 0) {
      throw new BadResponse('the responses of all peers together are too large');
    }
    chunks.push(chunk);
  }
  const report = schema.safeParse(jsonOf(Buffer.concat(chunks)));
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
