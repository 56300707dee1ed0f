import { Problem } from '@engawa/errors';
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { compress } from './response/compress.ts';
import { docsPage, pageCaching } from './openapi/docs-page.ts';
import { beginExchange } from './route/exchange.ts';
import type { ExchangeHandler, ExchangeRequest, ExchangeResponse } from './route/exchange.ts';
import type { HttpMetrics } from './route/http-metrics.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { sendProblem } from './response/problem-response.ts';
import { getProblem } from './response/problem-route.ts';
import { authenticate } from './guards/authorize.ts';
import type { HttpGuards } from './guards/http-guards.ts';
import { requireSameOrigin } from './guards/same-origin.ts';
import { inFlightLimits } from './guards/limit-in-flight.ts';
import { limitRate } from './guards/limit-rate.ts';
import { watchReader } from './guards/watch-transfer.ts';
import { routeHandler } from './route-handler.ts';
import type { Method, Route } from './route/route.ts';

interface Endpoint {
  method: Method;
  path: string;
  handler: ExchangeHandler;
}

export interface HttpAppOptions {
  title: string;
  description: string;
  version: string;
  /** Matched in this order, so `/things/special` must precede `/things/{id}`. */
  routes: readonly Route[];
  guards: HttpGuards;
  log: Logger;
  metrics: HttpMetrics;
}

/**
 * Builds an Express app of the routes, with its OpenAPI document at /openapi.json and Swagger UI at
 * /docs. It does not listen.
 * @throws Error where a route is invalid, or two routes conflict
 */
export function createHttpApp(options: HttpAppOptions): Express {
  const { routes, guards, log, metrics, title, description, version } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // routes of versioned items set their own
  app.disable('query parser'); // read-input.ts is stricter
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      strictTransportSecurity: false, // TLS ends in front of the service, which does not know the host's policy
    }),
  );
  app.use(beginExchange({ log, metrics }));
  app.use(requireHost, guards.knownHost, requireSameOrigin());
  app.use(compress());
  useGuards(app, guards, log);
  const info = { title, description, version };
  mount(app, endpointsOf([...routes, getProblem], guards, info));
  app.use(() => {
    throw new Problem('route-not-found', 'No route of this service has that path.');
  });
  app.use(
    (error: unknown, _request: ExchangeRequest, response: ExchangeResponse, next: NextFunction) => {
      if (response.headersSent) next(error);
      else sendProblem(error, response);
    },
  );
  return app;
}

/** RFC 9112, section 3.2. Node's own response has no body. */
function requireHost({ headers, httpVersion }: Request, _response: Response, next: NextFunction) {
  if (headers.host !== undefined || httpVersion !== '1.1') next();
  else throw new Problem('invalid-request', 'The header Host is missing.');
}

/** In order of cost; authentication precedes the limits per client. */
function useGuards(app: Express, guards: HttpGuards, log: Logger): void {
  const { trustedProxies, maxInFlight, tokens, maxRequestsPerMinute: perMinute, transfer } = guards;
  const inFlight = inFlightLimits({ maximum: maxInFlight, log });
  if (trustedProxies > 0) app.set('trust proxy', trustedProxies);
  app.use(inFlight.total);
  app.use(watchReader(transfer));
  if (tokens !== undefined) app.use(authenticate(tokens));
  app.use(inFlight.share);
  if (perMinute > 0) app.use(limitRate({ perMinute }));
}

function endpointsOf(
  routes: readonly Route[],
  guards: HttpGuards,
  info: { title: string; description: string; version: string },
): Endpoint[] {
  const contract = JSON.stringify(openApiDocument({ ...info, routes, guards }));
  const pages: Record<string, ExchangeHandler> = {
    '/openapi.json': (_request, response) => {
      response.set('Cache-Control', pageCaching).type('json').send(contract);
    },
    ...docsPage(info.title),
  };
  return [
    ...routes.map((route) => ({ ...route, handler: routeHandler(route, guards) })),
    ...Object.entries(pages).map(([path, handler]) => ({ method: 'get' as const, path, handler })),
  ];
}

function mount(app: Express, endpoints: readonly Endpoint[]): void {
  for (const { method, path, handler } of endpoints) {
    app[method](expressPath(path), matched(path), handler);
  }
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allowed = group.map(({ method }) => method.toUpperCase());
    if (allowed.includes('GET')) allowed.push('HEAD'); // Express handles it with the GET route
    app.all(expressPath(path), matched(path), (_request, response) => {
      response.set('Allow', allowed.join(', '));
      throw new Problem('method-not-allowed', `This route supports ${allowed.join(', ')}.`);
    });
  }
}

/** A path template in Express' syntax: `/v1/devices/:id` for `/v1/devices/{id}`. */
function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

function matched(path: string): ExchangeHandler {
  return ({ method }, response, next) => {
    const { exchange } = response.locals;
    exchange.route = path;
    exchange.span?.updateName(`${method} ${path}`).setAttribute('http.route', path);
    next();
  };
}
