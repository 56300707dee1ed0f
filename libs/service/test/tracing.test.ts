import { OtlpCollector } from '@engawa/testing';
import { ChildService } from './child-service.ts';

const children: ChildService[] = [];

async function serve(environment: NodeJS.ProcessEnv = {}) {
  const child = new ChildService('traced-main.ts', environment);
  children.push(child);
  const { port, sdkFiles } = await child.line('listening');
  const get = async (path: string) =>
    (await fetch(`http://127.0.0.1:${String(port)}${path}`)).text();
  return { child, get, sdkFiles };
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
});

it('sends a span of each request, names it in the log, and leaves probes out', async () => {
  const collector = new OtlpCollector();
  const endpoint = await collector.listen();
  try {
    const { child, get, sdkFiles } = await serve({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
    await get('/livez');
    await get('/things/7');
    const answering = await child.line('answering');
    child.kill('SIGTERM');
    expect(await child.exited()).toMatchObject({ code: 0, errors: '' });

    const ofServer = collector.spans.filter(({ kind }) => kind === 2);
    expect(ofServer.map(({ name }) => name)).toEqual(['GET /things/:id']);
    expect(answering['trace_id']).toBe(ofServer[0]?.traceId);
    expect(collector.spans.map(({ spanId }) => spanId)).toContain(answering['span_id']);
    expect(collector.spans.map(({ resource }) => resource['service.name'])).toContain('traced');
    expect(sdkFiles).toBeGreaterThan(0);
  } finally {
    await collector.close();
  }
});

it('loads nothing of the SDK without an endpoint', async () => {
  const { child, get, sdkFiles } = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await get('/things/7');
  const answering = await child.line('answering');
  expect(sdkFiles).toBe(0);
  expect(answering).not.toHaveProperty('trace_id');
  child.kill('SIGTERM');
  expect((await child.exited()).code).toBe(0);
});
