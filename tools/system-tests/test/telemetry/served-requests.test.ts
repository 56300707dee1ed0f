import { openBeforeAll } from '@engawa/testing';
import { startTracedRegistry } from './traced-registry.ts';
import type { CollectedSpan } from '@engawa/testing';

const traced = openBeforeAll(startTracedRegistry);
let metrics: { text: string; openMetrics: string };

beforeAll(async () => {
  const { registry } = traced;
  await fetch(`${registry.url}/v1/devices/lamp`);
  await fetch(`${registry.url}/v1/devices?limit=none`);
  await fetch(`${registry.url}/nowhere`);
  const scrape = async (accept: string) =>
    (await fetch(`${registry.metricsUrl}/metrics`, { headers: { accept } })).text();
  metrics = {
    text: await scrape('text/plain'),
    openMetrics: await scrape('application/openmetrics-text'),
  };
  // The process sends the remaining spans before it ends.
  await registry.end('SIGTERM');
});

const served = (): CollectedSpan[] => traced.collector.spans.filter(({ kind }) => kind === 2);

it('a request is one span, named by its route as in the metrics', () => {
  expect(served().map(({ name }) => name)).toEqual([
    'GET /v1/devices/{id}',
    'GET /v1/devices',
    'GET',
  ]);
  const routes = served().map(({ attributes }) => attributes['http.route']);
  expect(routes).toEqual(['/v1/devices/{id}', '/v1/devices', undefined]);
  for (const route of ['/v1/devices/{id}', '/v1/devices']) {
    expect(metrics.text).toContain(`route="${route}"`);
  }
  expect(traced.collector.spans.filter(({ kind }) => kind === 1)).toEqual([]);
});

it('a response of 400 or 404 is no error span', () => {
  const statuses = served().map(({ attributes }) => attributes['http.response.status_code']);
  expect(statuses).toEqual([404, 400, 404]);
  expect(served().map(({ status, events }) => [status.code ?? 0, events])).toEqual(
    statuses.map(() => [0, []]),
  );
});

it('latencies have exemplars with trace ids, in OpenMetrics only', () => {
  const of = (series: string) =>
    [
      ...metrics.openMetrics.matchAll(
        new RegExp(`^${series}_bucket.* # .*trace_id="(\\w+)"`, 'gm'),
      ),
    ].map(([, trace]) => trace);
  const traces = new Set(traced.collector.spans.map(({ traceId }) => traceId));
  for (const series of ['http_server_request_duration_seconds', 'engawa_table_attempt_seconds']) {
    expect(of(series)).not.toEqual([]);
    expect(of(series).filter((trace) => !traces.has(trace ?? ''))).toEqual([]);
  }
  expect(metrics.text).not.toContain('trace_id');
});

it("a DynamoDB request is a span with DynamoDB's request id and units", () => {
  const [lamp] = served();
  const { table, collector } = traced;
  const [read] = collector.spans.filter(
    ({ name, traceId }) => name === 'DynamoDB.GetItem' && traceId === lamp?.traceId,
  );
  expect(read?.attributes).toMatchObject({
    'db.system.name': 'aws.dynamodb',
    'db.operation.name': 'GetItem',
    'db.collection.name': table.environment['TABLE_NAME'],
    'aws.dynamodb.table_names': [table.environment['TABLE_NAME']],
    'aws.dynamodb.consumed_capacity': [expect.stringContaining('CapacityUnits')],
    'aws.request_id': expect.stringMatching(/./) as string,
    'rpc.system': 'aws-api',
    'rpc.service': 'DynamoDB',
    'rpc.method': 'GetItem',
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number) as number,
  });
});
