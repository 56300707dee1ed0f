import { version } from '@engawa/service';
import express from 'express';
import type { NextFunction, Request, Response } from 'express';
import type { ServiceContext } from '@engawa/service';
import { listen } from './listen.ts';
import { openMetricsOf, wantsOpenMetrics } from './open-metrics.ts';
import type { HttpConfig } from '../settings/http-settings.ts';
import type { HttpListener } from './listen.ts';

type ProbesContext = Pick<
  ServiceContext<Pick<HttpConfig, 'HOST' | 'METRICS_PORT'>>,
  'config' | 'log' | 'registry' | 'readiness' | 'onClose'
>;

/**
 * Serves /livez, /readyz and /metrics on `METRICS_PORT`, which is not the public port, until the service closes.
 * @throws OperatorError where the address or the port cannot be opened
 */
export async function startProbes(context: ProbesContext): Promise<HttpListener> {
  const { config, log, registry, readiness, onClose } = context;
  const app = express().disable('x-powered-by').disable('etag');
  app.get('/livez', (_request, response) => {
    response.type('txt').send('ok');
  });
  app.get('/readyz', (_request, response) => {
    const unmet = readiness.unavailableReasons();
    const reasons = (blocking: boolean) =>
      unmet
        .filter(({ blocks }) => blocks === blocking)
        .map(({ name, reason }) => ({ name, reason }));
    const missing = reasons(true);
    const ready = missing.length === 0;
    response.status(ready ? 200 : 503).json({ ready, version, missing, degraded: reasons(false) });
  });
  app.get('/metrics', async (request, response) => {
    const form = wantsOpenMetrics(request) ? openMetricsOf(registry) : registry;
    const text = await form.metrics();
    response.set('Content-Type', form.contentType).vary('Accept').send(text);
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    log.error({ err: error }, 'health probe failed');
    if (response.headersSent) next(error);
    else response.status(500).type('txt').send('failed');
  });
  const { HOST: host, METRICS_PORT: port } = config;
  const probes = await listen({ app, host, port, variable: 'METRICS_PORT', log });
  onClose('probes', () => probes.close());
  return probes;
}
