import { Simulator } from '@engawa/dynamodb-simulator';
import { ensureTable } from '@engawa/table';
import { startTable } from '@engawa/testing';
import { RunningService } from './running-service.ts';
import type { StartedTable } from '@engawa/testing';

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

const absent = { 'if-none-match': '*' };
const first = { 'if-match': '"1"' };

function put(path: string, headers: Record<string, string>, body: object): Request {
  return { method: 'PUT', path, headers, body };
}

function patch(path: string, body: object): Request {
  return { method: 'PATCH', path, headers: first, body };
}

function song(title: string): object {
  return { attributes: { title } };
}

/** Writes: the request, and the response without a fault. */
const writes: [what: string, service: 'registry' | 'catalog', request: Request, status: number][] =
  [
    ['a place is created', 'registry', put('/v1/places/new', absent, { name: 'New' }), 201],
    ['a place is renamed', 'registry', patch('/v1/places/home', { name: 'Other' }), 200],
    ['a place is put', 'registry', put('/v1/places/home', first, { name: 'Other' }), 200],
    ['a room is created', 'registry', put('/v1/rooms/home/new', absent, { name: 'New' }), 201],
    ['a room is renamed', 'registry', patch('/v1/rooms/home/hall', { name: 'Other' }), 200],
    ['a device is created', 'registry', put('/v1/devices/new', absent, {}), 201],
    ['a device is changed', 'registry', patch('/v1/devices/lamp', { name: 'Other' }), 200],
    ['labels of a place', 'registry', patch('/v1/places/home', { labels: { a: 'b' } }), 200],
    ['labels of a room', 'registry', patch('/v1/rooms/home/hall', { labels: { a: 'b' } }), 200],
    ['labels of a device', 'registry', patch('/v1/devices/lamp', { labels: { a: 'b' } }), 200],
    ['a device is placed', 'registry', put('/v1/places/home/devices/lamp', first, {}), 200],
    [
      'a device is deleted',
      'registry',
      { method: 'DELETE', path: '/v1/devices/lamp', headers: first },
      204,
    ],
    [
      'a room is deleted',
      'registry',
      { method: 'DELETE', path: '/v1/rooms/home/hall', headers: first },
      204,
    ],
    ['an entity is created', 'catalog', put('/v1/entities/Song/new', absent, song('New')), 201],
    ['an entity is put', 'catalog', put('/v1/entities/Song/one', first, song('Other')), 200],
    ['an entity is changed', 'catalog', patch('/v1/entities/Song/one', song('Other')), 200],
    [
      'an entity is deleted',
      'catalog',
      { method: 'DELETE', path: '/v1/entities/Song/one', headers: first },
      204,
    ],
  ];

/** Of an entity, it names the write that created it, too. */
let tagOfSong: string;
let started: StartedTable;
let simulator: Simulator;
let services: Record<'registry' | 'catalog', RunningService>;
beforeEach(async () => {
  started = await startTable(ensureTable);
  simulator = await Simulator.start({ upstream: started.location.endpoint });
  services = { registry: await start('registry'), catalog: await start('catalog') };
  await ask('registry', put('/v1/places/home', {}, { name: 'Home' }));
  await ask('registry', put('/v1/rooms/home/hall', {}, { name: 'Hall' }));
  await ask('registry', put('/v1/devices/lamp', {}, {}));
  const attributes = [{ name: 'title', kind: 'text' }];
  await ask('catalog', put('/v1/types/Song', {}, { attributes }));
  const made = await ask('catalog', put('/v1/entities/Song/one', {}, song('One')));
  tagOfSong = made.etag ?? '';
});
afterEach(async () => {
  await services.registry.close();
  await services.catalog.close();
  await simulator.close();
  await started.close();
});

// The SDK sends such a request again; its condition does not hold any more, because the first one has taken place.
it.each(writes)(
  'a write whose response from the table is lost returns its real outcome: %s',
  async (_, service, given, status) => {
    const isOfSong = service === 'catalog' && given.headers === first;
    const request = isOfSong ? { ...given, headers: { 'if-match': tagOfSong } } : given;
    const operations = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];
    simulator.counters.reset();
    simulator.setFaults([{ operations, times: 1, fault: { kind: 'reset', when: 'after' } }]);
    const answer = await ask(service, request);
    expect(simulator.counters.read().faults['reset']).toBe(1);
    expect(answer).toMatchObject({ status });
    if (request.method === 'DELETE') return;
    const version = request.headers['if-none-match'] === undefined ? '2' : '1';
    const path = request.path.replace('/places/home/devices', '/devices');
    const { etag } = await ask(service, { method: 'GET', path, headers: {} });
    // docs/http.md: version, creation (an entity's is a ULID) and hash of the response.
    expect(etag).toMatch(new RegExp(`^"${version}-([0-9A-Z]{9}|[0-9A-Z]{26})\\.`));
  },
);

/** Ready, so that the full-text index is built. */
function start(name: 'registry' | 'catalog'): Promise<RunningService> {
  const environment = {
    ...started.environment,
    DYNAMODB_ENDPOINT: simulator.endpoint,
    // No background request receives a fault that is meant for the write.
    PURGE_REFRESH_MS: '600000',
    TYPE_REFRESH_MS: '600000',
    FULL_TEXT_REFRESH_MS: '600000',
    TASK_REFRESH_MS: '600000',
  };
  return RunningService.start(name, { environment });
}

async function ask(
  service: 'registry' | 'catalog',
  { method, path, headers, body }: Request,
): Promise<{ status: number; etag: string | null; text: string }> {
  const answer = await fetch(services[service].url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() };
}
