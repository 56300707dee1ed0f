import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { seedHomes } from './seed-homes.ts';
import { devices } from './homes.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was sent, by method and path: a list of lines, or one body. */
let sent: Map<string, Record<string, unknown>[]>;
/** The status in place of 200, where it gives one. */
let mood: (request: string) => number | undefined;
let server: Server;
let registryUrl: string;
let lines: string[];
const print = (line: string) => lines.push(line);
const signal = new AbortController().signal;
const since = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  sent = new Map();
  mood = () => undefined;
  lines = [];
  server = createServer((request, response) => {
    const name = `${request.method ?? ''} ${request.url ?? ''}`;
    void text(request).then((body) => {
      const things = body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      sent.set(name, things);
      response.writeHead(mood(name) ?? 200, { 'content-type': 'application/json' });
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

const furnish = (more: { retryDelayMs?: number; signal?: AbortSignal } = {}) =>
  seedHomes({ registryUrl, devices, since, signal, print, ...more }, () => undefined);

it('tells of the places with their rooms, of the devices, and where each of them is', async () => {
  await furnish();
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

it('does not mind that somebody has moved a device', async () => {
  mood = (request) => (request.startsWith('PUT') ? 409 : undefined);
  await furnish();
  expect(lines).toEqual([]);
});

it('says what was refused and goes on', async () => {
  mood = (request) => (request === 'POST /v1/places' ? 400 : undefined);
  await furnish();
  expect(lines).toEqual(['the registry refused it: POST /v1/places: HTTP 400']);
  expect(sent.has('PUT /v1/places/sato/devices/door-sato-back')).toBe(true);
});

it('says once that the registry is not ready, and tries on', async () => {
  let refusals = 3;
  mood = () => (refusals-- > 0 ? 503 : undefined);
  await furnish({ retryDelayMs: 5 });
  expect(sent.has('PUT /v1/places/sato/devices/door-sato-back')).toBe(true);
  expect(lines).toEqual([`registry at ${registryUrl}: POST /v1/places: HTTP 503`]);
});

it('ends when told', async () => {
  const stop = new AbortController();
  mood = () => {
    setTimeout(() => stop.abort(), 20);
    return 503;
  };
  await expect(furnish({ retryDelayMs: 5, signal: stop.signal })).rejects.toThrow('aborted');
});
