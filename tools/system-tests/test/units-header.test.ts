import { until } from '@engawa/testing';
import { Backends } from './backends.ts';
import { countedMetrics, costBetween, readoutOf, total } from './costs/cost.ts';
import type { Counts } from './costs/cost.ts';
import { RunningService } from './running-service.ts';
import type { JsonRequest, ServiceName } from './running-service.ts';

const names = ['registry', 'query', 'catalog'] as const;
let backends: Backends;
let services: Map<ServiceName, RunningService>;

beforeAll(async () => {
  backends = await Backends.start();
  services = new Map();
  const { environment } = backends;
  // Background refreshes are not part of a request's price.
  const quiet = {
    TYPE_REFRESH_MS: '600000',
    TASK_REFRESH_MS: '600000',
    PURGE_REFRESH_MS: '600000',
  };
  for (const name of names) {
    services.set(
      name,
      await RunningService.start(name, { environment: { ...environment, ...quiet } }),
    );
  }
});
afterAll(async () => {
  for (const service of [...services.values()].toReversed()) await service.close();
  await backends.close();
});

async function unitsOf(name: ServiceName) {
  const registry = await services.get(name)?.registry();
  const texts = countedMetrics.map(async (metric) =>
    registry?.getSingleMetric(metric) === undefined ? '' : registry.getSingleMetricAsString(metric),
  );
  return readoutOf(await Promise.all(texts));
}

/** As the header has requests: `Query gsi1` is `query-gsi1`. */
function requestsText(requests: Counts): string | null {
  const members = Object.entries(requests).map(([name, count]) => {
    const words = name.replace(/([a-z])([A-Z])/g, '$1-$2').replace(' ', '-');
    return `${words.toLowerCase()}=${count}`;
  });
  return members.length === 0 ? null : members.sort().join(', ');
}

/** The headers of the response, and what the metrics of the service have counted meanwhile. */
async function ask(name: ServiceName, path: string, { method = 'GET', body }: JsonRequest = {}) {
  const before = await unitsOf(name);
  const headers = { 'content-type': 'application/json' };
  const json = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const answer = await fetch(`${services.get(name)?.url}${path}`, { method, ...json });
  await answer.text();
  const { requests, read, written } = costBetween(before, await unitsOf(name));
  const { status } = answer;
  return {
    status,
    header: answer.headers.get('engawa-units'),
    requests: answer.headers.get('engawa-requests'),
    counted: requestsText(requests),
    read: total(read),
    write: total(written),
  };
}

const name = (text: string) => ({ method: 'PUT', body: { name: text } });
const day = 'from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z';

it('each answer says the units that it has consumed, and its requests to the table', async () => {
  const requests: [ServiceName, string, JsonRequest?][] = [
    ['registry', '/v1/devices/thermo', name('Thermometer')],
    ['registry', '/v1/devices/thermo', name('Thermometer of the hall')],
    ['registry', '/v1/places/home', name('Home')],
    ['registry', '/v1/devices?limit=10'],
    ['registry', '/v1/devices/nobody'],
    ['query', `/v1/devices/thermo/readings?${day}`],
    ['query', `/v1/devices/thermo/aggregates?${day}&every=PT1H&fn=avg`],
    ['query', `/v1/devices/thermo/aggregates?${day}&every=PT1H&fn=duration&fields=mode`],
    ['query', '/v1/places/home/latest'],
    ['query', '/v1/devices/thermo/latest?limit=x'],
    ['catalog', '/v1/types'],
    ['catalog', '/v1/entities/nothing/a'],
  ];
  const told = new Map<string, string>();
  const made = new Set<string>();
  for (const [service, path, request] of requests) {
    // The metrics also count reads of the shard map that no request waits for.
    await until(`the units of ${path}`, async () => {
      const { status, header, read, write, ...answer } = await ask(service, path, request);
      told.set(path, `${status} ${header}`);
      if (answer.requests !== null) made.add(answer.requests);
      return header === `read=${read}, write=${write}` && answer.requests === answer.counted;
    });
  }
  expect(Object.fromEntries(told)).toMatchObject({
    '/v1/devices/nobody': '404 read=1, write=0',
    '/v1/devices/thermo/latest?limit=x': '400 read=0, write=0',
  });
  expect([...made].join()).toContain('query-gsi1=');
});
