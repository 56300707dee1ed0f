import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Request headers that services read. Cookies and all other headers stay in the console. */
const requestHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'traceparent',
  'tracestate',
] as const;

/** Headers of one connection (RFC 9110, section 7.6.1), and cookies, which no service sets. */
const droppedResponseHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of the request to the service. */
export function headersToService(
  headers: IncomingHttpHeaders,
  own: { requestId: string; clientAddress: string | undefined },
): OutgoingHttpHeaders {
  const given = requestHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // A body of unknown length: its framing is per connection, so it is chosen again here.
  const isChunked = headers['transfer-encoding'] !== undefined;
  return {
    ...Object.fromEntries(given),
    ...(isChunked && { 'transfer-encoding': 'chunked' }),
    'x-request-id': own.requestId,
    ...(own.clientAddress !== undefined && { 'x-forwarded-for': own.clientAddress }),
  };
}

/** The headers of the service's response that the browser receives. */
export function headersToBrowser(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !droppedResponseHeaders.has(name) && !named.has(name),
    ),
  );
}
