import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { always } from '@engawa/http';
import type { IncomingMessage } from 'node:http';

/** The metrics of a process have some hundred kilobytes. */
const maxBytes = 8_000_000;

export interface TextRequest {
  url: string;
  /** One of the addresses of its host. */
  address: string;
  signal: AbortSignal;
}

/**
 * Fetches a URL from one address of its host; redirects are not followed.
 * @throws Error of the connection, or for a response that is too long
 */
export async function getText({
  url,
  address,
  signal,
}: TextRequest): Promise<{ status: number; text: string }> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Without a connection pool, which would be keyed by the host name that several processes share.
  send(new URL(url), { agent: false, lookup: always(address), signal })
    .on('response', resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`its response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

/** Why a request failed, for operators. */
export function whyFailed(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it did not respond in time';
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
