import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import { countingUnits, RequestUnits } from '@engawa/service';
import type { Problem } from '@engawa/errors';
import type { Span } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from './caller.ts';
import { unmatched } from './http-metrics.ts';
import type { HttpMetrics } from './http-metrics.ts';

/** State of one request and its response, in addition to that of Express. */
export interface Exchange {
  requestId: string;
  log: Logger;
  /** Aborts when the client disconnects before the response is complete, or with `stop`. */
  signal: AbortSignal;
  /** Cancels the work on a request whose response was already decided. */
  stop: (reason: Problem) => void;
  clientDisconnected: boolean;
  /** The status under which an aborted response is counted; the client was already sent another one. */
  abortedStatus: number | undefined;
  /** The authenticated client, or why authentication failed; undefined without authentication. */
  caller: Caller | Problem | undefined;
  /** The path template of the route, for metrics. */
  route: string;
  /** Ends what guards do for a request in progress; see `whenServed`. */
  served: (() => void)[];
  /** Called when the response becomes an event stream: the request is counted, and its guards end. */
  beginStream: () => void;
  /** Span of the request, where it is traced. */
  span: Span | undefined;
  /** Units of the table that the request has consumed so far. */
  units: RequestUnits;
}

interface Locals extends Record<string, unknown> {
  exchange: Exchange;
}

/** Express' types with the exchange in `response.locals`. */
export type ExchangeHandler = RequestHandler<
  Record<string, string>,
  unknown,
  unknown,
  unknown,
  Locals
>;
export type ExchangeRequest = Request<Record<string, string>, unknown, unknown, unknown, Locals>;
export type ExchangeResponse = Response<unknown, Locals>;

/** A request id that is short and safe to write into a log and a header. */
const wellFormedId = /^[\w.:=+/-]{1,128}$/;

function endGuards({ served }: Exchange): void {
  for (const end of served.splice(0)) end();
}

/** The first middleware: gives each request an id, a log and a signal, and counts it when its response ends. */
export function beginExchange(options: { log: Logger; metrics: HttpMetrics }): ExchangeHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.get('x-request-id');
    const requestId = given !== undefined && wellFormedId.test(given) ? given : randomUUID();
    const client = new AbortController();
    const finished = () => {
      const { route, span } = exchange;
      const seconds = (performance.now() - started) / 1000;
      return { method: request.method, route, seconds, span };
    };
    let isStream = false;
    const exchange: Exchange = {
      requestId,
      log: options.log.child({ requestId }),
      signal: client.signal,
      stop: (reason) => client.abort(reason),
      clientDisconnected: false,
      abortedStatus: undefined,
      caller: undefined,
      route: unmatched,
      served: [],
      beginStream: () => {
        isStream = true;
        endGuards(exchange);
        // The duration of a stream says nothing about the service.
        options.metrics.answered({ ...finished(), status: response.statusCode });
      },
      span: trace.getActiveSpan(),
      units: new RequestUnits(),
    };
    response.locals.exchange = exchange;
    // Compression and streams listen for its end: about ten listeners, above which Node warns.
    response.setMaxListeners(16);
    response.set('X-Request-Id', requestId);
    // The default; a route may override it. Most responses are valid for the moment, and for one client.
    response.set('Cache-Control', 'no-store');
    response.once('close', () => {
      endGuards(exchange);
      const isComplete = response.writableFinished;
      const status = isComplete ? response.statusCode : exchange.abortedStatus;
      if (!isComplete) {
        exchange.clientDisconnected = status === undefined;
        client.abort();
      }
      if (isStream) return;
      if (status === undefined) options.metrics.clientDisconnected(finished());
      else options.metrics.answered({ ...finished(), status });
    });
    countingUnits(exchange.units, next);
  };
}
