import { Readiness, version } from '@engawa/service';
import { pino } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { startProbes } from './probes.ts';

describe('probes', () => {
  it('report liveness, unmet requirements and metrics', async () => {
    const registry = new Registry();
    new Counter({ name: 'engawa_sample_total', help: 'Sample', registers: [registry] }).inc();
    const table = { name: 'table', reason: 'not reached yet' };
    const readiness = new Readiness();
    readiness.require('table', () => table.reason, 'always');
    const closers: (() => void | Promise<void>)[] = [];
    const probes = await startProbes({
      config: { HOST: '127.0.0.1', METRICS_PORT: 0 },
      registry,
      readiness,
      log: pino({ enabled: false }),
      onClose: (_name, close) => closers.push(close),
    });
    const get = (path: string) => fetch(`http://127.0.0.1:${probes.port}${path}`);

    const live = await get('/livez');
    expect([live.status, await live.text()]).toEqual([200, 'ok']);

    const unready = await get('/readyz');
    expect([unready.status, await unready.json()]).toEqual([
      503,
      { ready: false, version, missing: [table], degraded: [] },
    ]);
    readiness.require('table', () => table.reason, 'never');
    const ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, version, missing: [], degraded: [table] },
    ]);

    const metrics = await get('/metrics');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await metrics.text()).toContain('engawa_sample_total 1');

    const collect = () => Promise.reject(new Error('secret of the cause'));
    new Gauge({ name: 'engawa_broken', help: 'Broken', registers: [registry], collect });
    const broken = await get('/metrics');
    expect([broken.status, await broken.text()]).toEqual([500, 'failed']);
    for (const close of closers) await close();
    await expect(get('/livez')).rejects.toThrow('fetch failed');
  });
});
