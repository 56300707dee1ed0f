import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpMetrics, listen } from '@engawa/http';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { settings } from '../src/config.ts';
import { consoleApp } from '../src/console-app.ts';
import type { ResolveHost } from '@engawa/http';

/** The console on a free port, with a web app of two files. */
export async function startConsole(
  environment: Record<string, string> = {},
  resolveHost?: ResolveHost,
) {
  const webFolder = mkdtempSync(join(tmpdir(), 'engawa-console-'));
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>Engawa</title>');
  writeFileSync(join(webFolder, 'assets/index-abc.js'), 'export {};');
  const closing = new AbortController();
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => failures.push(line) });
  const registry = new Registry();
  const app = consoleApp({
    config: settings.parse(environment),
    webFolder,
    log,
    metrics: new HttpMetrics(registry),
    now: () => performance.now(),
    signal: closing.signal,
    liveIntervalMs: 50,
    ...(resolveHost !== undefined && { resolveHost }),
  });
  const server = await listen({ app, host: '127.0.0.1', port: 0, variable: 'PORT', log });
  return {
    url: `http://127.0.0.1:${server.port}`,
    registry,
    /** Lines of level `error` and above. */
    log: { failures },
    close: async () => {
      closing.abort();
      await server.close();
    },
  };
}
