import { randomUUID } from 'node:crypto';
import { trace } from '@opentelemetry/api';
import type { Problem } from '@engawa/errors';
import type { Span } from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Caller } from './caller.ts';
import { unmatched } from './http-metrics.ts';
import type { HttpMetrics } from './http-metrics.ts';

/** What belongs to one request and its answer, beside what Express keeps. */
export interface Exchange {
  requestId: string;
  log: Logger;
  /** Aborts when the client hangs up before it has the whole answer, or with `stop`. */
  signal: AbortSignal;
  /** For work that nobody waits for any longer. */
  stop: (reason: Problem) => void;
  clientDisconnected: boolean;
  /** The status under which an answer is counted that broke off: it had said another one by then. */
  abortedStatus: number | undefined;
  /** Who asks, or why that is not known; undefined where nobody has to say. */
  caller: Caller | Problem | undefined;
  /** The template of the route, for the metrics. */
  route: string;
  /** The request's, where it is traced. */
  span: Span | undefined;
}

interface Locals extends Record<string, unknown> {
  exchange: Exchange;
}

/** Express' types with what this library puts into them. */
export type ExchangeHandler = RequestHandler<
  Record<string, string>,
  unknown,
  unknown,
  unknown,
  Locals
>;
export type ExchangeRequest = Request<Record<string, string>, unknown, unknown, unknown, Locals>;
export type ExchangeResponse = Response<unknown, Locals>;

/** Short, and safe to write into a log and a header. */
const wellFormedId = /^[\w.:=+/-]{1,128}$/;

/** The first step of every request: gives it an identifier, a log and a signal, and counts it. */
export function beginExchange(options: { log: Logger; metrics: HttpMetrics }): ExchangeHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.get('x-request-id');
    const requestId = given !== undefined && wellFormedId.test(given) ? given : randomUUID();
    const client = new AbortController();
    const exchange: Exchange = {
      requestId,
      log: options.log.child({ requestId }),
      signal: client.signal,
      stop: (reason) => client.abort(reason),
      clientDisconnected: false,
      abortedStatus: undefined,
      caller: undefined,
      route: unmatched,
      span: trace.getActiveSpan(),
    };
    response.locals.exchange = exchange;
    // Guards, compression and a stream of rows wait for its end: 11 of them, and one more than Node expects.
    response.setMaxListeners(16);
    response.set('X-Request-Id', requestId);
    // Until a route says otherwise. Most answers are true for the moment, and for one client.
    response.set('Cache-Control', 'no-store');
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000;
      const { route, span } = exchange;
      const counted = { method: request.method, route, seconds, span };
      if (response.writableFinished) {
        options.metrics.answered({ ...counted, status: response.statusCode });
        return;
      }
      exchange.clientDisconnected = exchange.abortedStatus === undefined;
      client.abort();
      if (exchange.abortedStatus === undefined) options.metrics.hungUp(counted);
      else options.metrics.answered({ ...counted, status: exchange.abortedStatus });
    });
    next();
  };
}
