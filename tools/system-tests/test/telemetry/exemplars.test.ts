import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tiedToParent } from '@engawa/embedded';
import { describeWith, freePort, until } from '@engawa/testing';
import { startTracedRegistry } from './traced-registry.ts';
import type { ServiceProcess } from '../service-process.ts';

interface Exemplars {
  data?: {
    seriesLabels: Record<string, string>;
    exemplars: { labels: Record<string, string> }[];
  }[];
}

describeWith(['prometheus'], 'a real Prometheus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-exemplars-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
  let registry: ServiceProcess;
  let prometheus: string;

  beforeAll(async () => {
    const traced = await startTracedRegistry();
    closers.push(() => traced.close());
    registry = traced.registry;
    prometheus = await startPrometheus(new URL(registry.metricsUrl).host);
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  async function startPrometheus(target: string): Promise<string> {
    const address = `127.0.0.1:${await freePort()}`;
    const scrapes = [{ job_name: 'registry', static_configs: [{ targets: [target] }] }];
    const file = join(folder, 'prometheus.yml');
    writeFileSync(
      file,
      JSON.stringify({ global: { scrape_interval: '1s' }, scrape_configs: scrapes }),
    );
    const { command, args } = tiedToParent('KILL', [
      'prometheus',
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
      '--enable-feature=exemplar-storage',
      '--log.level=error',
    ]);
    const child = spawn(command, args, { stdio: 'ignore' });
    closers.push(async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    });
    return `http://${address}`;
  }

  async function ask<Answer>(path: string, query: Record<string, string>): Promise<Answer> {
    const url = `${prometheus}/api/v1/${path}?${String(new URLSearchParams(query))}`;
    const answer = await fetch(url).catch(() => undefined);
    return (answer?.ok === true ? await answer.json() : {}) as Answer;
  }

  it('stores exemplars with traces of requests, and counters under their plain-text names', async () => {
    const traceId = 'a'.repeat(32);
    const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`;
    await fetch(`${registry.url}/v1/devices/lamp`, { headers: { traceparent } });
    const query = 'http_server_request_duration_seconds_bucket';
    await until('an exemplar', async () => {
      const now = Date.now() / 1000;
      const range = { start: String(now - 600), end: String(now + 60) };
      const { data = [] } = await ask<Exemplars>('query_exemplars', { query, ...range });
      const traces = data.flatMap(({ exemplars }) =>
        exemplars.map(({ labels }) => labels['trace_id']),
      );
      return traces.includes(traceId);
    });
    const counted = { query: 'engawa_table_attempts_total{operation="GetItem"} > 0' };
    await until('a counter', async () => {
      const { data } = await ask<{ data?: { result: unknown[] } }>('query', counted);
      return (data?.result.length ?? 0) > 0;
    });
  });
});
