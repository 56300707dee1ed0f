import { Agent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { Problem } from '@engawa/errors';
import { sendProblem } from '@engawa/http';
import { headersToBrowser, headersToService } from './forwarded-headers.ts';
import { isServiceName } from '../services.ts';
import type { IncomingMessage, RequestOptions } from 'node:http';
import type { ExchangeHandler, ExchangeResponse } from '@engawa/http';
import type { ServiceUrls, ServiceName } from '../services.ts';

export interface ForwardOptions {
  urls: ServiceUrls;
  /** Milliseconds without a byte after which a request fails; streams of events are exempt. */
  timeoutMs: number;
}

/** Connections to services are reused; each agent closes with the process. */
const agents = {
  'http:': new Agent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
};

/** Forwards `/<service>/v1/…` to the service, body and response as streams, with the caller's token. */
export function forwardRequests({ urls, timeoutMs }: ForwardOptions): ExchangeHandler {
  return (request, response) => {
    const target = servicePath(request.url);
    if (target === undefined) {
      throw new Problem('route-not-found', 'The console forwards /api/<service>/v1/… only.');
    }
    const { exchange } = response.locals;
    exchange.route = `/api/${target.service}`;
    const url = new URL(urls[target.service]);
    const options: RequestOptions = {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      // Not parsed as a URL: the service sees the path as the browser has sent it.
      path: url.pathname.replace(/\/+$/, '') + target.path,
      headers: headersToService(request.headers, {
        requestId: exchange.requestId,
        clientAddress: request.socket.remoteAddress,
      }),
      agent: agents[url.protocol as keyof typeof agents],
      timeout: timeoutMs,
      signal: exchange.signal,
    };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const forwarded = send(options);
    forwarded.once('timeout', () => forwarded.destroy(new Error(`no byte for ${timeoutMs} ms`)));
    forwarded.once('response', (answer) => {
      if (isEventStream(answer)) forwarded.setTimeout(0);
      passOn(answer, response);
    });
    forwarded.once('error', (error) => fail(error, target.service, response));
    pipeline(request, forwarded, () => undefined); // an error of either side is handled above
  };
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function passOn(answer: IncomingMessage, response: ExchangeResponse): void {
  const headers = headersToBrowser(answer.headers);
  // Set one by one: `writeHead` would replace the security headers of the console with none.
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.status(answer.statusCode ?? 502);
  response.flushHeaders();
  pipeline(answer, response, () => undefined); // an aborted response is counted by its exchange
}

function fail(error: Error, service: string, response: ExchangeResponse): void {
  const { log } = response.locals.exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  log.debug({ err: error, service }, 'forwarding failed');
  const { code } = error as NodeJS.ErrnoException;
  const detail = `The console cannot reach the service "${service}" (${code ?? error.message}).`;
  sendProblem(new Problem('service-unreachable', detail, { cause: error }), response);
}

/** The paths of a service that browsers may reach: its API, its OpenAPI document and its problem types. */
const allowedPath = /^\/(?:v1\/|problems\/|openapi\.json$)/;

/**
 * Splits `/<service>/v1/…?…`, the part of a URL after `/api`.
 * @returns undefined for a service or a path that is not forwarded
 */
function servicePath(url: string): { service: ServiceName; path: string } | undefined {
  const [, name = '', rest = ''] = /^\/([^/?]*)(\/.*)?$/.exec(url) ?? [];
  const [path = ''] = rest.split('?', 1);
  if (!isServiceName(name) || !allowedPath.test(path) || hasDotSegment(path)) return undefined;
  return { service: name, path: rest };
}

/** A dot segment, also percent-encoded, would leave the allowed paths (WHATWG URL, "double-dot path segment"). */
function hasDotSegment(path: string): boolean {
  return path.split(/[/\\]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}
