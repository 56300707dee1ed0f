import { describeOnEmbedded, freePort, openBeforeEach, until } from '@engawa/testing';
import { ServiceInOutage } from './service-in-outage.ts';
import type { ServiceName } from './service-in-outage.ts';

const reading = () => ({ device: 'meter', ts: Date.now(), power: 1 });
const unavailable = { status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) as string };
const ready = { status: 200, ready: true, missing: [] };

const service = openBeforeEach(() => ServiceInOutage.create());

describeOnEmbedded('starts and stops the engine', 'an outage of the table', () => {
  it.each<{ name: ServiceName; path: string; body?: () => unknown }>([
    { name: 'ingestion', path: '/v1/readings', body: reading },
    { name: 'registry', path: '/v1/devices' },
    { name: 'query', path: '/v1/devices/meter/latest' },
    { name: 'catalog', path: '/v1/types' },
  ])(
    '$name becomes ready with the table, stays ready during an outage, and responds with 503',
    async ({ name, path, body }) => {
      await service.startBroker();
      service.start(name);
      const before = await service.readinessWhere('probes', () => true);
      expect(before).toMatchObject({ status: 503, ready: false });
      expect(before.missing).toContain('table');
      expect(await service.metrics()).toEqual({ ready: 0, table: 0 });
      const ask = () => service.ask(path, body?.());
      expect(await until('the API', () => ask().catch(() => undefined))).toMatchObject(unavailable);

      await service.startTable();
      await service.readinessWhere('a ready service', (answer) => answer.ready);
      expect(await service.metrics()).toEqual({ ready: 1, table: 1 });
      expect((await ask()).status).toBeLessThan(500);

      await service.stopTable();
      const during = await until('the first failed requests', async () => {
        await ask();
        const answer = await service.readiness();
        return answer.degraded.includes('table') ? answer : undefined;
      });
      expect(during).toMatchObject(ready);
      expect(await service.metrics()).toEqual({ ready: 1, table: 0 });
      expect(await ask()).toMatchObject(unavailable);

      await service.startTable();
      await service.readinessWhere('the table again', ({ degraded }) => degraded.length === 0);
      expect((await ask()).status).toBeLessThan(500);
    },
  );
});

describeOnEmbedded('starts and stops the engine', 'an outage of the broker', () => {
  it('does not stop readings over HTTP from being stored', async () => {
    await service.startTable();
    await service.startBroker();
    service.start('ingestion');
    await service.readinessWhere('a ready service', (answer) => answer.ready);
    await service.stopBroker();
    const away = await service.readinessWhere('no broker', ({ status, degraded, missing }) => {
      return status !== 200 || degraded.length + missing.length > 0;
    });
    expect(away).toMatchObject({ ...ready, degraded: ['mqtt'] });
    expect(await service.ask('/v1/readings', reading())).toMatchObject({ status: 202 });
    await service.startBroker();
    await service.readinessWhere('the broker again', ({ degraded }) => degraded.length === 0);
  });

  it('keeps a replica that never reached the broker unready for ten minutes', async () => {
    let now = 0;
    await service.startTable();
    service.start('ingestion', {}, () => now);
    const waits = (answer: { missing: string[] }) => answer.missing.join() === 'mqtt';
    expect(await service.readinessWhere('a service without a broker', waits)).toMatchObject({
      status: 503,
    });
    now = 10 * 60_000;
    const late = await service.readiness();
    expect(late).toMatchObject({ ...ready, degraded: ['mqtt'] });
    expect(await service.ask('/v1/readings', reading())).toMatchObject({ status: 202 });
  });
});

describeOnEmbedded('starts the engine', 'a full-text index that cannot be built', () => {
  it('keeps the catalog unready for 20 seconds; afterwards only searches are rejected', async () => {
    let now = 0;
    await service.startTable();
    const SEARCH_URL = `http://127.0.0.1:${await freePort()}`;
    service.start('catalog', { SEARCH_URL }, () => now);
    const waits = (answer: { missing: string[] }) => answer.missing.join() === 'fullText';
    await service.readinessWhere('a catalog without its index', waits);
    now = 20_000;
    expect(await service.readiness()).toMatchObject({ ...ready, degraded: ['fullText'] });
    expect(await service.ask('/v1/search?q=lamp')).toMatchObject(unavailable);
    expect(await service.ask('/v1/types')).toMatchObject({ status: 200 });
  });
});
