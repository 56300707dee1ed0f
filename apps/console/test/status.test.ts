import { startProbes } from '@engawa/http';
import { Readiness, version } from '@engawa/service';
import { closersAfterEach, freePort, until } from '@engawa/testing';
import { pino } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { settings } from '../src/config.ts';
import { startConsole } from './start-console.ts';
import { startService } from './service.ts';
import type { StatusReport } from '../src/status/status-report.ts';

const closers = closersAfterEach();

/** The probes and metrics of a service, as it serves them. */
async function startMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readiness = new Readiness();
  const { port } = await startProbes({
    config: { HOST: '127.0.0.1', METRICS_PORT: 0 },
    log: pino({ enabled: false }),
    ...{ registry, readiness },
    onClose: (_name, close) => closers.push(close),
  });
  return { registry, readiness, url: `http://127.0.0.1:${port}` };
}

/** Every service is stopped, except where a URL is given. */
async function start(environment: Record<string, string> = {}) {
  const stopped = `http://127.0.0.1:${await freePort()}`;
  const app = await startConsole({
    INGESTION_METRICS_URL: stopped,
    REGISTRY_METRICS_URL: stopped,
    QUERY_METRICS_URL: stopped,
    CATALOG_METRICS_URL: stopped,
    ...environment,
  });
  closers.push(app.close);
  return async (): Promise<StatusReport> =>
    (await (await fetch(`${app.url}/api/status`)).json()) as StatusReport;
}

it('names stopped services, what a service lacks, and its session at the broker', async () => {
  const { registry, readiness, url } = await startMetrics();
  readiness.require('mqtt', () => 'no connection', 'never');
  new Gauge({ name: 'engawa_mqtt_connected', help: 'h', registers: [registry] }).set(0);
  const status = await start({ INGESTION_METRICS_URL: url });
  const report = await status();
  const [ingestion, registryService] = report.services;
  expect(ingestion?.processes).toMatchObject([
    {
      ...{ address: '127.0.0.1', state: 'degraded', version },
      degraded: [{ name: 'mqtt', reason: 'no connection' }],
      broker: { isConnected: false },
    },
  ]);
  expect(registryService?.processes).toMatchObject([
    { state: 'unreachable', failure: 'ECONNREFUSED' },
  ]);
  expect(report.alerts).toEqual({ kind: 'not-configured' });
});

it('counts the units of the services at the stated price', async () => {
  const { registry, url } = await startMetrics();
  const labelNames = ['operation', 'index', 'unit'];
  const units = new Counter({
    ...{ name: 'engawa_table_consumed_units_total', help: 'h', labelNames },
    registers: [registry],
  });
  const status = await start({
    ...{ QUERY_METRICS_URL: url, READ_UNIT_PRICE: '2', PRICE_SOURCE: 'of a test' },
  });
  await status();
  units.inc({ operation: 'query', index: 'table', unit: 'read' }, 300);
  units.inc({ operation: 'query', index: 'gsi1', unit: 'read' }, 200);
  units.inc({ operation: 'put', index: 'table', unit: 'write' }, 10);
  // A report is reused for two seconds.
  const report = await until('counted units', async () => {
    const next = await status();
    return next.units.total.read > 0 ? next : undefined;
  });
  expect(report.units.total).toEqual({ read: 500, write: 10 });
  expect(report.units.dollars).toBeCloseTo((500 * 2 + 10 * 0.625) / 1e6);
  expect(report.units.price).toEqual({ read: 2, write: 0.625, source: 'of a test' });
  expect(report.units.minutes.at(-1)).toEqual({ read: 500, write: 10 });
});

it('shows the alerts of Engawa, critical ones first', async () => {
  const alert = (alertname: string, severity: string, state = 'firing') => ({
    labels: { alertname, severity, pod: 'ingestion-0', instance: '10.0.0.1:9091' },
    annotations: { summary: `about ${alertname}`, runbook_url: 'javascript:alert(1)' },
    ...{ state, activeAt: '2026-11-26T01:02:03.456789Z', value: '1e+00' },
  });
  const prometheus = await startService((_request, response) => {
    const alerts = [
      alert('EngawaDeadLetters', 'warning'),
      alert('OtherDown', 'critical'),
      alert('EngawaAbsent', 'critical', 'pending'),
      alert('EngawaIngestionStalled', 'critical'),
    ];
    response.end(JSON.stringify({ status: 'success', data: { alerts } }));
  });
  closers.push(prometheus.close);
  const status = await start({ PROMETHEUS_URL: prometheus.url });
  const { alerts } = await status();
  expect(alerts.kind === 'known' && alerts.alerts.map(({ name }) => name)).toEqual([
    'EngawaIngestionStalled',
    'EngawaDeadLetters',
    'EngawaAbsent',
  ]);
  expect(JSON.stringify(alerts)).not.toContain('javascript');
  expect(alerts.kind === 'known' && alerts.alerts[0]?.labels).toEqual({ pod: 'ingestion-0' });
});

it.each([
  [{ PROMETHEUS_TOKEN: 'abc' }, 'Bearer abc'],
  [{ PROMETHEUS_USERNAME: 'me', PROMETHEUS_PASSWORD: 'g\u00e4:1' }, 'Basic bWU6Z8OkOjE='],
  [{}, undefined],
])('authenticates at Prometheus: %j', async (settings, expected) => {
  const seen: (string | undefined)[] = [];
  const prometheus = await startService((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401).end();
  });
  closers.push(prometheus.close);
  const status = await start({ PROMETHEUS_URL: prometheus.url, ...settings });
  const { alerts } = await status();
  expect(seen).toEqual([expected]);
  // Nothing of the credentials.
  expect(alerts).toEqual({ kind: 'failed', failure: 'its status is 401' });
});

it('refuses credentials in the URL of Prometheus', () => {
  const given = { PROMETHEUS_URL: 'http://me:word@127.0.0.1:9090' };
  const { error } = settings.safeParse(given);
  expect(error?.message).toContain('PROMETHEUS_USERNAME');
  expect(error?.message).not.toContain('word@');
});

it('says why it has no alerts', async () => {
  const status = await start({ PROMETHEUS_URL: `http://127.0.0.1:${await freePort()}` });
  expect((await status()).alerts).toEqual({ kind: 'failed', failure: 'ECONNREFUSED' });
});

/** The console with tokens; every service is stopped, except for the registry with a URL. */
async function startWithTokens(registryUrl?: string) {
  const stopped = `http://127.0.0.1:${await freePort()}`;
  const app = await startConsole({
    AUTH_MODE: 'jwt',
    ...{ INGESTION_URL: stopped, REGISTRY_URL: registryUrl ?? stopped },
    ...{ QUERY_URL: stopped, CATALOG_URL: stopped },
  });
  closers.push(app.close);
  return (token?: string) =>
    fetch(`${app.url}/api/status`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
}

it.each([
  [401, {}, 401],
  [403, {}, 403],
  [200, { restrictedToPlaces: false }, 200],
  [200, { restrictedToPlaces: true }, 403],
  // Of an older version, which does not say for which places the token is valid.
  [200, {}, 403],
  [500, {}, 503],
])(
  'with tokens, a service that answers %d %j to the token gives %d',
  async (checked, body, status) => {
    const seen: (string | undefined)[] = [];
    const service = await startService((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(checked).end(JSON.stringify(body));
    });
    closers.push(service.close);
    const get = await startWithTokens(service.url);
    expect((await get('token')).status).toBe(status);
    expect(seen).toEqual(['Bearer token']);
  },
);

it('says only which services answer while none can check the token', async () => {
  const service = await startService((_request, response) => {
    response.writeHead(503).end('{"detail":"a secret"}');
  });
  closers.push(service.close);
  const get = await startWithTokens(service.url);
  const response = await get('token');
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      time: expect.any(String) as string,
      services: [
        { name: 'ingestion', answers: false },
        { name: 'registry', answers: true },
        { name: 'query', answers: false },
        { name: 'catalog', answers: false },
      ],
    },
  ]);
  // Without a token there is nothing to check.
  expect((await get()).status).toBe(401);
});
