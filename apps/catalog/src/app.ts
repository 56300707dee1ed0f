import { createHttpApp } from '@engawa/http';
import { version } from '@engawa/service';
import { bulkRoutes } from './routes/bulk-routes.ts';
import { entityRoutes } from './routes/entity-routes.ts';
import { fullTextRoutes } from './routes/full-text-routes.ts';
import { questionRoutes } from './routes/question-routes.ts';
import { typeRoutes } from './routes/type-routes.ts';
import type { HttpGuards, HttpMetrics, Route } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { CatalogParts } from './catalog-parts.ts';

export interface AppOptions extends CatalogParts {
  hotPartitions: Route[];
  guards: HttpGuards;
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of the catalogue; never listens. */
export function createApp(options: AppOptions): Express {
  const { guards, metrics, log } = options;
  return createHttpApp({
    title: 'Engawa catalog',
    description:
      'Entities of types that you declare: their relations both ways, searches by attribute, rankings and full text.',
    version,
    routes: [
      ...typeRoutes(options),
      ...entityRoutes(options),
      ...bulkRoutes(options),
      ...questionRoutes(options),
      ...fullTextRoutes(options),
      ...options.hotPartitions,
    ],
    guards,
    log,
    metrics,
  });
}
