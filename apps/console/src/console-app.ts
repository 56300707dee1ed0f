import compression from 'compression';
import { Problem } from '@engawa/errors';
import { beginExchange, requireKnownHost, requireSameOrigin, sendProblem } from '@engawa/http';
import express from 'express';
import helmet from 'helmet';
import { clientError } from './client-error.ts';
import { forwardRequests } from './forward/forward-requests.ts';
import { liveFeedRoute } from './live/live-feed-route.ts';
import { serviceUrls } from './services.ts';
import { issuerOf, sessionRoutes } from './session/session-routes.ts';
import { statusRoute } from './status/status-route.ts';
import { webFiles } from './web/web-files.ts';
import type { ExchangeRequest, ExchangeResponse, HttpMetrics, ResolveHost } from '@engawa/http';
import type { Express, NextFunction } from 'express';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Issuer } from './session/issuer.ts';

export interface ConsoleAppOptions {
  config: Config;
  /** The folder of the built web app. */
  webFolder: string;
  log: Logger;
  metrics: HttpMetrics;
  /** Monotonic milliseconds. */
  now: () => number;
  /** Aborts when closing begins. */
  signal: AbortSignal;
  /** By default the one of the configuration. */
  issuer?: Issuer | undefined;
  /** By default DNS. */
  resolveHost?: ResolveHost;
  /** Milliseconds until ingestion processes that have rejected a live feed are asked again; by default ten seconds. */
  liveIntervalMs?: number;
}

/** Builds the Express app of the console. It does not listen. */
export function consoleApp(options: ConsoleAppOptions): Express {
  const { config, webFolder, log, metrics, now, signal, resolveHost } = options;
  const urls = serviceUrls(config);
  const feeds = config.LIVE_FEED_URLS.length > 0 ? config.LIVE_FEED_URLS : [urls.ingestion];
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(securityHeaders());
  app.use(beginExchange({ log, metrics }));
  app.use(requireKnownHost(config), requireSameOrigin());
  const live = { urls: feeds, signal, intervalMs: options.liveIntervalMs };
  app.get('/api/live', liveFeedRoute({ ...live, ...(resolveHost && { resolveHost }) }));
  app.get('/api/status', statusRoute({ config, urls, signal, resolveHost }));
  app.use('/api', sessionRoutes({ config, issuer: options.issuer ?? issuerOf(config, now) }));
  app.use('/api', forwardRequests({ urls, timeoutMs: config.FORWARD_TIMEOUT_MS }));
  app.use(compression()); // the web app only: services compress their own responses
  app.use(webFiles(webFolder));
  app.use(() => {
    throw new Problem('route-not-found', 'The console has no page at that path.');
  });
  app.use(
    (error: unknown, _request: ExchangeRequest, response: ExchangeResponse, next: NextFunction) => {
      if (response.headersSent) next(error);
      else sendProblem(clientError(error), response);
    },
  );
  return app;
}

/** Own files only: no inline script or style, no other host, no frame. */
function securityHeaders(): express.RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false, // TLS ends in front of the console, which does not know the host's policy
  });
}
