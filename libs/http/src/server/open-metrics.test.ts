import { Readiness } from '@engawa/service';
import { pino } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import { startProbes } from './probes.ts';
import type { HttpListener } from './listen.ts';

const openMetrics = 'application/openmetrics-text';
const registry = new Registry();
let probes: HttpListener;

beforeAll(async () => {
  const registers = [registry];
  new Counter({ name: 'engawa_sample_total', help: 'Sample', registers }).inc();
  const seconds = new Histogram({
    name: 'engawa_seconds',
    help: 'Sample',
    registers: [],
    enableExemplars: true,
  });
  seconds.observe({ value: 0.3, exemplarLabels: { trace_id: 'a'.repeat(32) }, labels: {} });
  registry.registerMetric(seconds);
  probes = await startProbes({
    config: { HOST: '127.0.0.1', METRICS_PORT: 0 },
    registry,
    readiness: new Readiness(),
    log: pino({ enabled: false }),
    onClose: () => undefined,
  });
});
afterAll(() => probes.close());

async function scrape(accept: string): Promise<{ type: string | null; text: string }> {
  const headers = { accept };
  const answer = await fetch(`http://127.0.0.1:${probes.port}/metrics`, { headers });
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}

it.each([
  // The Accept headers of Prometheus 2.42, 3.0 and 3.5.
  [
    `${openMetrics};version=1.0.0,${openMetrics};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
  ],
  [
    `${openMetrics};version=1.0.0;escaping=allow-utf-8;q=0.6,${openMetrics};version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2`,
  ],
  [openMetrics],
])('responds with OpenMetrics and exemplars to %s', async (accept) => {
  const { type, text } = await scrape(accept);
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(text).toContain('# TYPE engawa_sample counter\nengawa_sample_total 1\n');
  expect(text).toMatch(/engawa_seconds_bucket\{le="0.5"\} 1 # \{trace_id="a{32}"\} 0.3 \d+/);
  expect(text).toMatch(/# EOF\n$/);
});

it.each([
  ['*/*'],
  ['text/plain'],
  ['text/html,application/xhtml+xml,*/*;q=0.8'],
  [`text/plain;version=0.0.4,${openMetrics};q=0.5`],
  [`${openMetrics};q=0, */*;q=0.1`],
  ['not a media type'],
])('responds with plain text to %s', async (accept) => {
  const { type, text } = await scrape(accept);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('# TYPE engawa_sample_total counter\nengawa_sample_total 1\n');
  expect(text).not.toContain('trace_id');
});

it('responds in both formats at the same time', async () => {
  const both = await Promise.all([openMetrics, 'text/plain', openMetrics].map(scrape));
  expect(both.map(({ text }) => text.includes('# EOF'))).toEqual([true, false, true]);
  for (const { text } of both) expect(text).toContain('\nengawa_sample_total 1\n');
});
