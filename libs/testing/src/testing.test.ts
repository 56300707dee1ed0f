import { once } from 'node:events';
import { createServer } from 'node:http';
import { findFreePort as freePort } from '@engawa/embedded';
import { ListeningPorts } from './processes/listening-ports.ts';
import { metricValue } from './telemetry/metrics.ts';
import { until } from './running/until.ts';

const metrics = [
  '# HELP jobs_total Jobs.',
  'jobs_total{kind="a",outcome="ok"} 3',
  'jobs_total{kind="b",outcome="ok"} 4',
  'jobs_total{kind="b",outcome="failed"} 50',
  'jobs_total_seconds{kind="a",outcome="ok"} 600',
  'plain 1.5',
  '',
].join('\n');

describe('metricValue', () => {
  it('adds the samples that have the labels, and only those of that name', async () => {
    const port = await freePort();
    const server = createServer((_, response) => response.end(metrics)).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${port}`;
    try {
      expect(await metricValue(url, 'jobs_total', { outcome: 'ok' })).toBe(7);
      expect(await metricValue(url, 'jobs_total', { kind: 'b', outcome: 'failed' })).toBe(50);
      expect(await metricValue(url, 'jobs_total')).toBe(57);
      expect(await metricValue(url, 'plain')).toBe(1.5);
      expect(await metricValue(url, 'absent')).toBe(0);
    } finally {
      server.close();
    }
  });
});

describe('until', () => {
  it('returns the result of the condition', async () => {
    let asked = 0;
    expect(await until('the third time', () => ++asked === 3 && 'here')).toBe('here');
  });

  it('names the condition where there is no progress', async () => {
    await expect(until('rain', () => false, { stallMs: 20 })).rejects.toThrow(
      'no progress for 20 ms, waiting for: rain',
    );
    const progress = () => 7;
    await expect(until('rain', () => false, { progress, stallMs: 20 })).rejects.toThrow(
      'no progress for 20 ms, at 7, waiting for: rain',
    );
  });

  it('waits for as long as there is progress', async () => {
    let asked = 0;
    const progress = () => asked;
    expect(await until('many rounds', () => ++asked > 20, { progress, stallMs: 100 })).toBe(true);
  });
});

describe('ListeningPorts', () => {
  it('finds the ports in the log', () => {
    const ports = new ListeningPorts();
    ports.write('{"msg":"started"}\n');
    ports.write('{"msg":"listening","variable":"PORT","port":4711}\n');
    expect(ports.url('PORT')).toBe('http://127.0.0.1:4711');
    expect(() => ports.url('METRICS_PORT')).toThrow('METRICS_PORT');
  });
});
