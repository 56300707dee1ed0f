import { OtlpCollector } from '@engawa/testing';
import { ChildService } from './child-service.ts';
import type { RequestListener } from 'node:http';

const children: ChildService[] = [];
const collectors: OtlpCollector[] = [];

async function openCollector(answer: RequestListener) {
  const collector = new OtlpCollector(answer);
  collectors.push(collector);
  return { collector, endpoint: await collector.listen() };
}

function run(fixture: string, endpoint: string, environment: NodeJS.ProcessEnv = {}) {
  const child = new ChildService(fixture, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    ...environment,
  });
  children.push(child);
  return child;
}

async function serve(endpoint: string, environment: NodeJS.ProcessEnv = {}) {
  const child = run('traced-main.ts', endpoint, environment);
  const { port } = await child.line('listening');
  const get = async (path: string) =>
    (await fetch(`http://127.0.0.1:${String(port)}${path}`)).text();
  return { child, get };
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.end()));
  await Promise.all(collectors.splice(0).map((collector) => collector.close()));
});

async function endpointOfNobody(): Promise<string> {
  const { collector, endpoint } = await openCollector(() => undefined);
  collectors.pop();
  await collector.close();
  return endpoint;
}

const failures: Record<string, () => Promise<string>> = {
  'answers 404': async () =>
    (await openCollector((_request, response) => response.writeHead(404).end('no'))).endpoint,
  'answers 503': async () =>
    (await openCollector((_request, response) => response.writeHead(503).end())).endpoint,
  'responds without HTTP': async () =>
    (await openCollector((request) => request.socket.end('nonsense\r\n\r\n'))).endpoint,
  'never answers': async () => (await openCollector(() => undefined)).endpoint,
  'is absent': endpointOfNobody,
};

describe.each(Object.entries(failures))('a collector that %s', (_name, open) => {
  it('leaves the exit code of a service at 0, and ends within the shutdown timeout', async () => {
    const { child, get } = await serve(await open(), { SHUTDOWN_TIMEOUT_MS: '20000' });
    await get('/things/7');
    child.kill('SIGTERM');
    const { code, errors, messages } = await child.exited();
    expect({ code, errors, last: messages.at(-1) }).toEqual({
      code: 0,
      errors: '',
      last: 'closed',
    });
    expect(messages.at(-2)).toMatch(/^the last spans could not be sent/);
  });

  it('leaves the exit code of a task at 0', async () => {
    const { code, errors, messages } = await run('traced-task-main.ts', await open()).exited();
    expect({ code, errors, last: messages.at(-1) }).toEqual({
      code: 0,
      errors: '',
      last: 'closed',
    });
  });
});

it('an absent collector is logged while the service continues', async () => {
  const endpoint = await endpointOfNobody();
  const { child, get } = await serve(endpoint, {
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  });
  await get('/things/7');
  const address = endpoint.replace('http://', '');
  await child.line(`tracing: connect ECONNREFUSED ${address}`);
  expect(await get('/things/8')).toBe('{"ok":true}');
});

it('consecutive failed exports are one log line', async () => {
  const { collector, endpoint } = await openCollector((_request, response) => {
    response.writeHead(404).end();
  });
  const { child, get } = await serve(endpoint, { OTEL_BSP_SCHEDULE_DELAY: '1' });
  while (collector.paths.length < 4) await get('/things/7');
  child.kill('SIGTERM');
  const { messages } = await child.exited();
  expect(messages.filter((message) => message.startsWith('tracing: '))).toEqual([
    'tracing: Not Found',
  ]);
});
