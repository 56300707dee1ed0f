import { registerInvariantMetrics } from '@engawa/service';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import { createHttpApp } from '../src/create-http-app.ts';
import { httpGuards } from '../src/guards/http-guards.ts';
import { HttpMetrics } from '../src/route/http-metrics.ts';
import { httpSettings } from '../src/settings/http-settings.ts';
import { listen } from '../src/server/listen.ts';
import type { KeyTimes } from '../src/guards/issuer-keys.ts';
import type { OpenApiDocument } from '../src/openapi/openapi-types.ts';
import type { Route } from '../src/route/route.ts';

export interface StartAppOptions {
  routes: readonly Route[];
  environment?: Record<string, string>;
  keyTimes?: Partial<KeyTimes>;
  title?: string;
  /** Milliseconds. */
  idleTimeoutMs?: number;
  headersTimeoutMs?: number;
}

export interface LogLine extends Record<string, unknown> {
  level: number;
  msg: string;
}

/** The routes as in a service, on a free port, with their log and metrics. */
export async function startApp(options: StartAppOptions) {
  const { routes, environment = {}, keyTimes = {}, title = 'Sample', ...more } = options;
  const lines: LogLine[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as LogLine);
  const log = pino({ level: 'debug' }, { write });
  const registry = new Registry();
  registerInvariantMetrics(registry);
  const config = z.object(httpSettings).parse(environment);
  const app = createHttpApp({
    title,
    description: 'For the tests',
    version: '1.2.3',
    routes,
    guards: httpGuards({ name: 'sample', config, log, registry, keyTimes }),
    log,
    metrics: new HttpMetrics(registry),
  });
  const where = { host: '127.0.0.1', port: 0, variable: 'PORT' };
  const listening = await listen({ app, log, ...where, ...more });
  const url = `http://127.0.0.1:${listening.port}`;
  return {
    ...listening,
    url,
    lines,
    registry,
    contract: async () => (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument,
    /** Number of requests counted under these labels. */
    counted: async (route: string, status: number) => {
      const name = 'http_server_request_duration_seconds_count';
      const labels = `route="${route}",status="${status}"`;
      const text = await registry.metrics();
      const line = text.split('\n').find((each) => each.startsWith(name) && each.includes(labels));
      return Number(line?.split(' ').at(-1) ?? 0);
    },
  };
}

export type StartedApp = Awaited<ReturnType<typeof startApp>>;
