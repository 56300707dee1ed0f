import { createHttpApp } from '@engawa/http';
import type { HttpMetrics } from '@engawa/http';
import type { Express } from 'express';
import type { Logger } from 'pino';

export interface AppOptions {
  metrics: HttpMetrics;
  log: Logger;
}

/** The API of ingestion; never listens. Readings come in over MQTT alone so far, so it has no routes of its own. */
export function createApp({ metrics, log }: AppOptions): Express {
  return createHttpApp({
    title: 'Engawa ingestion',
    description: 'Readings in.',
    version: '1.0.0',
    routes: [],
    log,
    metrics,
  });
}
