import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { freePort, metricValue, until } from '@engawa/testing';
import { startTable } from './table.ts';

const lines = 1000;
const textBytes = 30_000;
/** Megabytes of heap; the service itself needs about 30. */
const heap = 48;

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

it('a bulk request larger than the heap is processed as a stream', async () => {
  const started = await startTable();
  closers.push(() => started.close());
  const [port, metricsPort] = [await freePort(), await freePort()];
  const main = join(__dirname, '../src/main.ts');
  const service = spawn(process.execPath, [`--max-old-space-size=${heap}`, main], {
    env: {
      ...started.environment,
      PATH: process.env['PATH'],
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(service, 'exit');
  closers.push(() => service.kill('SIGTERM') && ended);
  const metrics = `http://127.0.0.1:${metricsPort}`;
  const isReady = () =>
    fetch(`${metrics}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the service to be ready', isReady);

  const url = `http://127.0.0.1:${port}/v1`;
  await fetch(`${url}/types/Page`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ attributes: [{ name: 'text', kind: 'text' }] }),
  });
  const outsideHeap = () => metricValue(metrics, 'nodejs_external_memory_bytes');
  const before = await outsideHeap();
  let grownBy = NaN;
  async function* body() {
    const text = 'x'.repeat(textBytes);
    for (let line = 0; line < lines; line++) {
      yield Buffer.from(
        `${JSON.stringify({ type: 'Page', id: `p${line}`, attributes: { text } })}\n`,
      );
      // Most of the body has been sent; buffers do not count as heap.
      if (line === lines * 0.75) grownBy = (await outsideHeap()) - before;
    }
  }
  const answer = await fetch(`${url}/entities`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: Readable.from(body()),
    duplex: 'half',
  });
  expect(await answer.json()).toEqual({
    entities: { created: lines, existing: 0 },
    failed: 0,
    errors: [],
  });
  expect(grownBy).toBeLessThan((lines * textBytes) / 2);
});
