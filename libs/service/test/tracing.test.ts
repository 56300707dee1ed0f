import { OtlpCollector } from '@engawa/testing';
import { version } from '../src/telemetry/version.ts';
import { ChildService } from './child-service.ts';

const children: ChildService[] = [];
let collector: OtlpCollector;
let endpoint: string;

beforeEach(async () => {
  collector = new OtlpCollector();
  endpoint = await collector.listen();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
  await collector.close();
});

async function serve(environment: NodeJS.ProcessEnv) {
  const child = new ChildService('traced-main.ts', {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...environment,
  });
  children.push(child);
  const { port, sdkFiles } = await child.line('listening');
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers })).text();
  const end = async () => {
    child.kill('SIGTERM');
    expect(await child.exited()).toMatchObject({ code: 0, errors: '' });
  };
  return { child, get, end, sdkFiles };
}

it('sends a span of each request, logs its ids, and omits probes', async () => {
  const { child, get, end, sdkFiles } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await get('/livez');
  await get('/things/7');
  const answering = await child.line('answering');
  await end();
  const [span, ...others] = collector.spans;
  expect(others).toEqual([]);
  expect(span).toMatchObject({ kind: 2, traceId: answering['trace_id'] });
  expect(span?.spanId).toBe(answering['span_id']);
  expect(collector.paths).toContain('/v1/traces');
  expect(sdkFiles).toBeGreaterThan(0);
});

it('does not export codes, tokens and cursors of the query string', async () => {
  const { get, end } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  await get('/things/7?limit=5&cursor=one&code=two&state=three&access_token=four&token=five');
  await end();
  const names = ['cursor', 'code', 'state', 'access_token', 'token'];
  const redacted = names.map((name) => `${name}=REDACTED`);
  expect(collector.spans[0]?.attributes['url.query']).toBe(['limit=5', ...redacted].join('&'));
});

it('has service, version and process as resource attributes', async () => {
  const resourceOfProcess = async () => {
    const { get, end } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await get('/things/7');
    await end();
    return collector.spans.at(-1)?.resource;
  };
  const [first, second] = [await resourceOfProcess(), await resourceOfProcess()];
  expect(first).toMatchObject({
    'service.name': 'traced',
    'service.namespace': 'engawa',
    'service.version': version,
    'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
  });
  expect(first?.['service.instance.id']).not.toBe(second?.['service.instance.id']);
});

it('honours the standard variables', async () => {
  const { get, end } = await serve({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/tenants/home/traces`,
    OTEL_SERVICE_NAME: 'porch',
    OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=garden,service.instance.id=a,k8s.pod.name=b%20c',
  });
  await get('/things/7');
  await end();
  expect(collector.spans[0]?.resource).toMatchObject({
    'service.name': 'porch',
    'service.namespace': 'garden',
    'service.instance.id': 'a',
    'k8s.pod.name': 'b c',
  });
  expect(collector.paths).toEqual(['/tenants/home/traces']);
});

it('sends the headers that a collector requires', async () => {
  const tokens: unknown[] = [];
  const strict = new OtlpCollector(({ headers }, response) => {
    tokens.push(headers.authorization);
    response.end('{}');
  });
  const { get, end } = await serve({
    OTEL_EXPORTER_OTLP_ENDPOINT: await strict.listen(),
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token',
  });
  await get('/things/7');
  await end();
  await strict.close();
  expect(tokens).toEqual(['Bearer token']);
});

it('follows the sampling decision of the client', async () => {
  const { get, end } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
  const traceparent = (trace: string, flags: string) =>
    `00-${trace.repeat(32)}-${'c'.repeat(16)}-${flags}`;
  await get('/things/7', { traceparent: traceparent('a', '00') });
  await get('/things/7', { traceparent: traceparent('b', '01') });
  await end();
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(['b'.repeat(32)]);
});

it.each([
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'nowhere' }, 'it must be an http or https URL'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'home' }, 'it must be comma-separated key=value pairs'],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'it must be one of always_on'],
])('rejects %o like other invalid settings', async (environment, sentence) => {
  const child = new ChildService('traced-main.ts', {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    ...environment,
  });
  children.push(child);
  const { code, messages } = await child.exited();
  expect(code).toBe(1);
  expect(messages.join('\n')).toContain(sentence);
});

it('loads no SDK module without an endpoint', async () => {
  const { child, get, end, sdkFiles } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await get('/things/7');
  const answering = await child.line('answering');
  expect(sdkFiles).toBe(0);
  expect(answering).not.toHaveProperty('trace_id');
  await end();
});
