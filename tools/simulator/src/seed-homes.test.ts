import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { seedHomes } from './seed-homes.ts';
import { devices } from './homes.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Received bodies by method and path: a list of lines, or one body. */
let sent: Map<string, Record<string, unknown>[]>;
/** Returns a status to use instead of 200, or undefined. */
let mood: (request: string) => number | undefined;
/** Headers of each response. */
let headers: Record<string, string>;
let server: Server;
let registryUrl: string;
let lines: string[];
const print = (line: string) => lines.push(line);
const signal = new AbortController().signal;
const since = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  sent = new Map();
  mood = () => undefined;
  headers = { 'content-type': 'application/json' };
  lines = [];
  server = createServer((request, response) => {
    const name = `${request.method ?? ''} ${request.url ?? ''}`;
    void text(request).then((body) => {
      const things = body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      sent.set(name, things);
      response.writeHead(mood(name) ?? 200, headers);
      response.end(JSON.stringify({ errors: [] }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  registryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const seed = (more: { retryDelayMs?: number; signal?: AbortSignal } = {}) =>
  seedHomes({ registryUrl, devices, since, signal, print, ...more }, () => undefined);

it('registers places with rooms, devices, and the placement of each device', async () => {
  await seed();
  const [tanaka, smith, sato] = sent.get('POST /v1/places') ?? [];
  expect([tanaka?.['name'], smith?.['name'], sato?.['name']]).toEqual([
    '田中家',
    'Smith family',
    '佐藤家',
  ]);
  expect(smith?.['rooms']).toContainEqual({ id: 'study', name: 'Study' });
  const named = sent.get('POST /v1/devices');
  expect(named).toHaveLength(devices.length);
  expect(named).toContainEqual({
    id: 'door-tanaka-front',
    name: '田中家 玄関ドア',
    kind: 'contact',
  });
  expect(sent.get('PUT /v1/places/smith/devices/climate-smith-study')).toEqual([
    { room: 'study', since: '2026-11-01T00:00:00.000Z' },
  ]);
  expect(sent.get('PUT /v1/places/sato/devices/door-sato-back')).toEqual([
    { since: '2026-11-01T00:00:00.000Z' },
  ]);
  expect(lines).toEqual([]);
});

it('ignores a conflict when a device has been moved', async () => {
  mood = (request) => (request.startsWith('PUT') ? 409 : undefined);
  await seed();
  expect(lines).toEqual([]);
});

it('retries a request that has lost to other clients too often', async () => {
  let refusals = 2;
  mood = (request) => (request.startsWith('PUT') && refusals-- > 0 ? 409 : undefined);
  headers = { ...headers, 'retry-after': '1' };
  await seed({ retryDelayMs: 5 });
  expect(lines).toEqual([expect.stringMatching(/: PUT .*: HTTP 409$/)]);
  expect(refusals).toBeLessThan(0);
});

it('reports a rejected request and continues', async () => {
  mood = (request) => (request === 'POST /v1/places' ? 400 : undefined);
  await seed();
  expect(lines).toEqual(['the registry refused the request: POST /v1/places: HTTP 400']);
  expect(sent.has('PUT /v1/places/sato/devices/door-sato-back')).toBe(true);
});

it('reports once that the registry is unavailable, and retries', async () => {
  let refusals = 3;
  mood = () => (refusals-- > 0 ? 503 : undefined);
  await seed({ retryDelayMs: 5 });
  expect(sent.has('PUT /v1/places/sato/devices/door-sato-back')).toBe(true);
  expect(lines).toEqual([`registry at ${registryUrl}: POST /v1/places: HTTP 503`]);
});

it('ends when its signal aborts', async () => {
  const stop = new AbortController();
  mood = () => {
    setTimeout(() => stop.abort(), 20);
    return 503;
  };
  await expect(seed({ retryDelayMs: 5, signal: stop.signal })).rejects.toThrow('aborted');
});
