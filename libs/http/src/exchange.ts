import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { unmatched } from './http-metrics.ts';
import type { HttpMetrics } from './http-metrics.ts';

/** What belongs to one request and its answer, beside what Express keeps. */
export interface Exchange {
  requestId: string;
  log: Logger;
  /** Aborts when the client hangs up before it has the whole answer. */
  signal: AbortSignal;
  /** The template of the route, for the metrics. */
  route: string;
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
      route: unmatched,
    };
    response.locals.exchange = exchange;
    response.set('X-Request-Id', requestId);
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000;
      const counted = { method: request.method, route: exchange.route, seconds };
      if (response.writableFinished) {
        options.metrics.answered({ ...counted, status: response.statusCode });
      } else {
        client.abort();
        options.metrics.hungUp(counted);
      }
    });
    next();
  };
}
