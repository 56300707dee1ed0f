import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '@engawa/testing';
import { asModule, bundledServices } from './bundled-services.ts';
import { untilReady, workspace } from './running-image.ts';
import type { AddressInfo } from 'node:net';
import type { BundledServices } from './bundled-services.ts';

const services = ['ingestion', 'registry', 'query', 'catalog'];

let bundled: BundledServices;
beforeAll(async () => (bundled = await bundledServices()));
afterAll(() => bundled.close());

it('creates the table and rolls up, twice', async () => {
  for (const [command, said] of [
    ['table', 'table created'],
    ['rollup', 'rollups of expiring readings completed'],
    ['table', 'table is complete already'],
    ['rollup', 'rollups of expiring readings completed'],
  ] as const) {
    const TABLE_NAME = bundled.engine.tableNamed('made');
    const { ended, logged } = bundled.run([command], { TABLE_NAME });
    expect(await ended).toBe(0);
    expect(logged).toContainEqual(expect.objectContaining({ service: command, msg: said }));
  }
});

it.each(services)('runs %s until SIGTERM', async (service) => {
  const { ports, ended, logged, ...started } = bundled.run([service]);
  await untilReady(service, () => ports.url('METRICS_PORT'));
  // What is no source comes along as well: the page to try the API.
  const script = await fetch(`${ports.url('PORT')}/docs/swagger-ui-bundle.js`);
  expect(script.status).toBe(200);
  started.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(logged.at(-1)).toMatchObject({ service, msg: 'closed' });
});

it('runs the console with the built web app until SIGTERM', async () => {
  const { ports, ended, logged, ...started } = bundled.run(['console']);
  await untilReady('console', () => ports.url('METRICS_PORT'));
  const page = await (await fetch(`${ports.url('PORT')}/house`)).text();
  const [, script = ''] = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(page) ?? [];
  const answer = await fetch(ports.url('PORT') + script);
  expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
  started.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(logged.at(-1)).toMatchObject({ service: 'console', msg: 'closed' });
});

it('runs the simulator with its options', async () => {
  const once = ['simulator', '--days', '1', '--homes', 'sato', '--no-live'];
  const { ended, logged } = bundled.run(once);
  expect(await ended).toBe(0);
  expect(logged.at(-1)?.['msg']).toMatch(/^backfill done: [\d,]+ readings in /);
});

/**
 * Whether a process is told of SIGTERM, not ended by it: as the first one of a container it would
 * not even be ended.
 */
function hears(pid: number): boolean {
  const [, mask = '0'] =
    /^SigCgt:\s+(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return ((BigInt(`0x${mask}`) >> 14n) & 1n) === 1n;
}

const isLinux = process.platform === 'linux';
const skipped = isLinux
  ? ''
  : ' (skipped: only Linux shows in /proc which signals a process handles)';

(isLinux ? it : it.skip).each([
  ['simulator', ['--days', '0'], /^live: /],
  ['catalog', [], /^started$/],
])(`handles SIGTERM at any time while %s starts${skipped}`, async (name, args, started) => {
  const { pid, logged, ended, ...running } = bundled.run([name, ...args]);
  await until('it to hear', () => hears(pid));
  const isStarted = () => logged.some(({ msg }) => started.test(String(msg)));
  while (!isStarted()) {
    expect(hears(pid)).toBe(true);
    await turn();
  }
  running.kill('SIGTERM');
  expect(await ended).toBe(0);
});

it.each([
  ['registry', 0],
  ['table', 1],
  ['rollup', 1],
])('exits immediately on SIGTERM before %s is loaded, with %d', async (name, code) => {
  // Loading takes longer than it does, and SIGTERM comes in the middle of it.
  const endless = `setTimeout(() => process.kill(process.pid, 'SIGTERM'));
    await new Promise((resolve) => setTimeout(resolve, 60_000));`;
  const url = JSON.stringify(asModule(endless));
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) =>
      name.startsWith('./chunks/src-') ? { url: ${url}, shortCircuit: true } : next(name, context) });`;
  const NODE_OPTIONS = `--import=${asModule(hooks)}`;
  const { ended, logged } = bundled.run([name], { NODE_OPTIONS });
  expect(await ended).toBe(code);
  expect(logged).toEqual([]);
});

it('sends traces to the configured endpoint, with instrumented imports', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      bodies.push(Buffer.concat(chunks as Buffer[]).toString('latin1'));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  const service = bundled.run(['registry'], traced);
  await untilReady('registry', () => service.ports.url('METRICS_PORT'));
  await fetch(`${service.ports.url('PORT')}/v1/devices/none`);
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  collector.close();
  expect(bodies.join()).toContain('@opentelemetry/instrumentation-http');
  expect(bodies.join()).toContain('GET /v1/devices/{id}');
});

it.each([
  [[], 'nothing'],
  [['ingestoin'], '"ingestoin"'],
  [['constructor'], '"constructor"'],
  [['ingestion', 'query'], '"ingestion query"'],
])('exits with 1 and lists the commands when run with %j', async (args, what) => {
  const { ended, logged } = bundled.run(args);
  expect(await ended).toBe(1);
  expect(logged).toEqual([
    {
      msg:
        `engawa: ${what} cannot be run; the one argument is one of ` +
        'ingestion, registry, query, catalog, console, rollup, shrink, table, simulator',
    },
  ]);
});

it('reports invalid settings', async () => {
  const { ended, logged } = bundled.run(['query'], { HOST: '0.0.0.0' });
  expect(await ended).toBe(1);
  expect(logged.at(-1)).toMatchObject({
    level: 'fatal',
    msg: expect.stringMatching(/^HOST 0\.0\.0\.0.* AUTH_MODE is not set/) as unknown,
  });
});

it('names the sources in stack traces', async () => {
  const broken = `import http from 'node:http';
    http.Server.prototype.listen = () => { throw new TypeError('no listening today') };`;
  const NODE_OPTIONS = `--import=${asModule(broken)}`;
  const { ended, logged } = bundled.run(['query'], { LOG_LEVEL: 'debug', NODE_OPTIONS });
  expect(await ended).toBe(1);
  const { stack } = logged.at(-1)?.['err'] as { stack: string };
  expect(stack).toMatch(/^TypeError: no listening today\n/);
  const [, file = '', line = ''] =
    /at Module\.start \((apps\/query\/src\/start\.ts):(\d+):\d+\)/.exec(stack) ?? [];
  const source = readFileSync(join(workspace, file), 'utf8').split('\n');
  expect(source[Number(line) - 1]).toContain('startProbes(context)');
});

it('installs only the production dependencies, in the versions of the lock file', () => {
  const read = (path: string) =>
    (JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, { version?: string }> })
      .packages;
  const [all, kept] = [
    read(join(__dirname, '../../../package-lock.json')),
    read(join(bundled.folder, 'package-lock.json')),
  ];
  const installed = Object.keys(kept).filter((path) => path.startsWith('node_modules/'));
  const wanted = [
    ...['express', 'pino', 'mqtt', '@aws-sdk/client-dynamodb', '@opentelemetry/sdk-node'],
    // Of the web app: their licences are in the image.
    ...['preact', '@preact/signals', '@tanstack/virtual-core', 'uplot'],
  ];
  const unwanted = [
    ...['aedes', 'jest', 'typescript', 'nx', '@dynoxide/linux-x64', '@engawa/testing'],
    ...['vite', 'rolldown', '@playwright/test'],
  ];
  for (const name of wanted) expect(installed).toContain(`node_modules/${name}`);
  for (const name of unwanted) expect(installed).not.toContain(`node_modules/${name}`);
  for (const path of installed)
    expect([path, kept[path]?.version]).toEqual([path, all[path]?.version]);
});
