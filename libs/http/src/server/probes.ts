import express from 'express';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { listen } from './listen.ts';
import { openMetricsOf, wantsOpenMetrics } from './open-metrics.ts';
import type { Listening } from './listen.ts';

/** The unmet requirements of a service, which is ready when none of them blocks. */
export interface Readiness {
  missing(): readonly { name: string; reason: string; blocks: boolean }[];
}

export interface ProbesOptions {
  registry: Registry;
  readiness: Readiness;
  host: string;
  port: number;
  log: Logger;
}

/** /livez, /readyz and /metrics, on a port that is not the public one. */
export function startProbes({ registry, readiness, ...rest }: ProbesOptions): Promise<Listening> {
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/livez', (_request, response) => {
    response.type('txt').send('ok');
  });
  app.get('/readyz', (_request, response) => {
    const unmet = readiness.missing();
    const reasons = (blocking: boolean) =>
      unmet
        .filter(({ blocks }) => blocks === blocking)
        .map(({ name, reason }) => ({ name, reason }));
    const missing = reasons(true);
    const ready = missing.length === 0;
    response.status(ready ? 200 : 503).json({ ready, missing, degraded: reasons(false) });
  });
  app.get('/metrics', async (request, response) => {
    const form = wantsOpenMetrics(request) ? openMetricsOf(registry) : registry;
    const text = await form.metrics();
    response.set('Content-Type', form.contentType).vary('Accept').send(text);
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    rest.log.error({ err: error }, 'health probe failed');
    if (response.headersSent) next(error);
    else response.status(500).type('txt').send('failed');
  });
  return listen({ app, variable: 'METRICS_PORT', ...rest });
}
